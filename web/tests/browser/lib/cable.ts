// The cable between a page and the house: it can be cut, and either direction
// can be made to lose everything, which no switch in a browser can do.
import { createServer, connect, type Server, type Socket } from 'node:net';

export class Cable {
  origin = '';
  #server: Server;
  #ends = new Set<Socket>();
  #plugged = true;
  /** What the page says is lost on the way. */
  deafHouse = false;
  /** What the house says is lost on the way. */
  deafPage = false;

  private constructor(port: number) {
    this.#server = createServer((page) => {
      if (!this.#plugged) {
        page.destroy();
        return;
      }
      const house = connect(port, '127.0.0.1');
      for (const [end, other] of [[page, house], [house, page]] as const) {
        this.#ends.add(end);
        end.on('error', () => other.destroy());
        end.on('close', () => {
          this.#ends.delete(end);
          other.destroy();
        });
      }
      page.on('data', (some) => this.deafHouse || house.write(some));
      house.on('data', (some) => this.deafPage || page.write(some));
    });
  }

  static async lay(port: number): Promise<Cable> {
    const cable = new Cable(port);
    await new Promise<void>((up) => cable.#server.listen(0, '127.0.0.1', up));
    const address = cable.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    cable.origin = `http://127.0.0.1:${address.port}`;
    return cable;
  }

  /** Pulled out: what was open breaks, nothing new is made. */
  pull(): void {
    this.#plugged = false;
    for (const end of this.#ends) end.destroy();
  }

  /** Put back in, hearing both ways. */
  plug(): void {
    this.deafHouse = false;
    this.deafPage = false;
    this.#plugged = true;
  }

  remove(): void {
    this.pull();
    this.#server.close();
  }
}
