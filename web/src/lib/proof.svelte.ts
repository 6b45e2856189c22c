// The PIN once more before money is moved: what was asked waits until it is given or left out.
import { whenProofIsAsked } from './api';

class Proof {
  /** Somebody is asked. */
  open = $state(false);
  #answer: ((given: boolean) => void) | null = null;
  #asked: Promise<boolean> | null = null;

  /** Asks; whether it was given. Several who wait are answered together. */
  ask(): Promise<boolean> {
    this.open = true;
    return (this.#asked ??= new Promise((answer) => (this.#answer = answer)));
  }

  /** It was given, or will not be. */
  answer(given: boolean): void {
    this.open = false;
    this.#answer?.(given);
    this.#answer = null;
    this.#asked = null;
  }
}

export const proof = new Proof();
whenProofIsAsked(() => proof.ask());
