/** A line of those who wait, each until it is told to go or gives up. */

export interface Waiting {
  readonly go: () => void;
}

/** Stands in the line from now on. Whoever calls `go` has taken it out of the line; whoever gives up is in it no more. */
export async function waitIn<W extends Waiting>(
  line: W[],
  entry: (go: () => void) => W,
  signal: AbortSignal | undefined,
): Promise<void> {
  const turn = Promise.withResolvers<void>();
  const waiting = entry(turn.resolve);
  const giveUp = () => {
    const at = line.indexOf(waiting);
    if (at < 0) return;
    line.splice(at, 1);
    turn.reject(signal?.reason);
  };
  line.push(waiting);
  signal?.addEventListener('abort', giveUp);
  try {
    await turn.promise;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}
