// Words that people read: numbers of our own requirements are nobody's business, and one thing has one word.
import { expect, test } from 'vitest';

const CATALOGUES = import.meta.glob<string>('../../src/messages/*/*.ftl', { query: '?raw', import: 'default', eager: true });
const VIEWS = import.meta.glob<string>('../../src/**/*.svelte', { query: '?raw', import: 'default', eager: true });
const LANGUAGES = ['en', 'zh-Hans', 'zh-Hant', 'vi'] as const;

/** Every message of a language with its words. */
function messages(language: string): [key: string, words: string][] {
  const text = Object.entries(CATALOGUES).filter(([path]) => path.includes(`/${language}/`)).map(([, source]) => source).join('\n');
  return [...text.matchAll(/^([a-z][\w-]*) =(.*(?:\n[ ]+.*|\n\})*)/gm)].map(([, key = '', words = '']) => [key, words]);
}

/** `Q-07`, `P-070`, `R-003`: they stand in our requirements and in no document that a player can look up. */
const OWN_NUMBER = /\b[QPRJS]-\d{2,3}\b/;

test('no message shows a number of our own requirements', () => {
  for (const language of LANGUAGES) {
    const all = messages(language);
    expect(all.length).toBeGreaterThan(1_500);
    expect(all.filter(([, words]) => OWN_NUMBER.test(words))).toEqual([]);
  }
});

test('no view shows a number of our own requirements', () => {
  const views = Object.entries(VIEWS);
  expect(views.length).toBeGreaterThan(60);
  for (const [file, text] of views) {
    // Only the markup is shown; comments of it are not.
    const markup = text.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->|\/\/.*|\/\*[\s\S]*?\*\//g, '');
    expect(OWN_NUMBER.test(markup), file).toBe(false);
  }
});

/** Words that were replaced, each with its better one in the catalogue. */
const REPLACED: Record<(typeof LANGUAGES)[number], RegExp> = {
  en: /Little motion|Came back|at most \(|How you stand|I have seen this|Present PIN|present bets|Member's card|not known here|There is nothing here|No such (cases|vouchers|events|rounds)\./,
  'zh-Hans': /牌局|服务员|登入|登出|储存|兑入|兑出|中奖机会|骰盅盖着|不认识该卡|凭证|裁定|收银处|无效局|中奖|停止投注|提案|联线|规则手册|兑换券|跟看|粒骰/,
  'zh-Hant': /兑|牌局|服務員|兌入|兌出|中獎機會|骰盅蓋著|不認識該卡|憑證|裁定|收銀處|中獎|停止投注|提案|聯線|規則手冊|兌換券|跟看|粒骰/,
  vi: /tiền chơi thử: hãy|như in ra|cách ly|nhận biết ở đây|tự do|tín dụng rảnh|Tín dụng tại|ván hủy|\bchip\b|\bsòng\b|quý vị|trả tay|Sách quy tắc/i,
};
test.each(LANGUAGES)('%s: words that were replaced do not come back', (language) => {
  expect(messages(language).filter(([, words]) => REPLACED[language].test(words))).toEqual([]);
});

/** Two forms of one character or word, of which the catalogue takes one throughout. */
const OTHER_FORM = /啓|賬|户|身分|宣布|公布|金鑰|檯|台面|聯繫|稽核|連接/;
test('zh-Hant writes each word in one form', () => {
  expect(messages('zh-Hant').filter(([, words]) => OTHER_FORM.test(words))).toEqual([]);
});

test('traditional characters only in the traditional catalogue', () => {
  // Simplified forms that have a traditional one and stand for nothing else.
  const simplified = /[们这为发见长问时来对说动车门开关头间题点错误还边过从认让变应号会国图书报电线条总结统级单双围进选项签银钱类显码称听写读语权际须额页顺预风验龙兑]/;
  expect(messages('zh-Hant').filter(([, words]) => simplified.test(words))).toEqual([]);
});
