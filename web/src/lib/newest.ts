// Answers may come in another order than they were asked for: an older one must
// never take the place of a newer one on the screen.

/** For a question that changes: only the answer to the last one counts. */
export class Newest {
  #asked = 0;

  /** Something is asked, or the last question is no longer of interest. Tells whether it still is the last. */
  ask(): () => boolean {
    const asked = (this.#asked += 1);
    return () => asked === this.#asked;
  }
}

/** For a question that is asked again and again: an answer counts unless a later one was there before it. */
export class InOrder {
  #asked = 0;
  #heard = 0;

  /** Tells of the answer, once it is there, whether it is news. */
  ask(): () => boolean {
    const asked = (this.#asked += 1);
    return () => {
      if (asked <= this.#heard) return false;
      this.#heard = asked;
      return true;
    };
  }
}
