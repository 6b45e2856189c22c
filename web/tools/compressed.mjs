// Every file once more as Brotli and gzip have it, as hard as they can: the house sends those as they are.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const KINDS = /\.(html|js|css|svg|json|txt|webmanifest)$/;

/** A Vite plugin: the files that this build leaves, or `only` those whose names fit, compressed beside themselves. */
export function compressed(only = KINDS) {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: {
      sequential: true,
      order: 'post',
      async handler({ dir }) {
        if (dir === undefined) return;
        const all = await readdir(dir, { recursive: true, withFileTypes: true });
        const files = all.filter((one) => one.isFile() && only.test(one.name)).map((one) => join(one.parentPath, one.name));
        await Promise.all(
          files.map(async (file) => {
            const bytes = await readFile(file);
            const hard = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
            const forms = [[`${file}.br`, await promisify(brotliCompress)(bytes, hard)], [`${file}.gz`, await promisify(gzip)(bytes, { level: 9 })]];
            // A form that does not get smaller is not kept.
            await Promise.all(forms.filter(([, form]) => form.length < bytes.length).map(([name, form]) => writeFile(name, form)));
          }),
        );
      },
    },
  };
}
