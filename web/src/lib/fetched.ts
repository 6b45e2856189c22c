// Parts of the app that are fetched when they are first wanted. The line may be down at that moment:
// then the part is asked for again until it comes, and what can be done without it goes on.

const AGAIN_MS = 2_000;

export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((over) => setTimeout(over, AGAIN_MS));
    }
  }
}
