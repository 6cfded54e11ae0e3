/**
 * Tells whether what clients saw can be explained by one order of their operations that keeps to the clock: the search of
 * Wing and Gong, which remembers where it has been already.
 */

/** What one client did, between two looks at the same clock. */
export interface Operation<Asked, Seen> {
  readonly asked: Asked;
  /** Undefined where nobody knows: it was done at some time after it was asked for, or never. */
  readonly seen: Seen | undefined;
  readonly from: number;
  readonly to: number;
}

/** How a thing behaves that only one client uses at a time. */
export interface Model<State, Asked, Seen> {
  readonly initial: State;
  /** The state after it; undefined where nobody could have seen that. Of what nobody has seen, anything goes. */
  next(state: State, asked: Asked, seen: Seen | undefined): State | undefined;
  /** The same for states that are the same. */
  keyOf(state: State): string;
}

export function isLinearizable<State, Asked, Seen>(
  model: Model<State, Asked, Seen>,
  history: readonly Operation<Asked, Seen>[],
): boolean {
  // Whoever began first is tried first: mostly that is the order in which things happened.
  const operations = history
    .map((operation) => ({ ...operation, to: operation.seen === undefined ? Number.POSITIVE_INFINITY : operation.to }))
    .sort((one, other) => one.from - other.from);
  const isDone = operations.map(() => false);
  const visited = new Set<string>();

  function search(state: State): boolean {
    const left = operations.filter((_, index) => isDone[index] === false);
    if (left.every(({ seen }) => seen === undefined)) return true;
    const place = `${isDone.map(Number).join('')} ${model.keyOf(state)}`;
    if (visited.has(place)) return false;
    visited.add(place);

    // Whatever began after another one had ended cannot have come before it.
    const firstEnd = Math.min(...left.map(({ to }) => to));
    for (const [index, { from, asked, seen }] of operations.entries()) {
      if (isDone[index] === true || from > firstEnd) continue;
      const next = model.next(state, asked, seen);
      if (next === undefined) continue;
      isDone[index] = true;
      if (search(next)) return true;
      isDone[index] = false;
    }
    return false;
  }

  return search(model.initial);
}

/** A place that holds one value or none: made, changed, removed and read. */
export type RegisterAsked =
  | { readonly kind: 'make' | 'change'; readonly value: string }
  | { readonly kind: 'remove' }
  | { readonly kind: 'read' };

/** Whether it was done; for a read, what was there (null: nothing). */
export type RegisterSeen = { readonly isDone: boolean } | { readonly value: string | null };

export const register: Model<string | null, RegisterAsked, RegisterSeen> = {
  initial: null,
  next(state, asked, seen) {
    if (asked.kind === 'read') {
      return seen === undefined || ('value' in seen && seen.value === state) ? state : undefined;
    }
    const canBeDone = (asked.kind === 'make') === (state === null);
    if (seen !== undefined && 'isDone' in seen && seen.isDone !== canBeDone) return undefined;
    if (!canBeDone) return state;
    return asked.kind === 'remove' ? null : asked.value;
  },
  keyOf: (state) => JSON.stringify(state),
};

/** Some names: added, removed and listed. */
export type NamesAsked = { readonly kind: 'add' | 'remove'; readonly name: string } | { readonly kind: 'list' };

/** Whether it was done; for a list, which ones were there. */
export type NamesSeen = { readonly isDone: boolean } | { readonly names: readonly string[] };

export const names: Model<readonly string[], NamesAsked, NamesSeen> = {
  initial: [],
  next(state, asked, seen) {
    if (asked.kind === 'list') {
      const isSame = seen === undefined || ('names' in seen && [...seen.names].sort().join() === state.join());
      return isSame ? state : undefined;
    }
    const canBeDone = (asked.kind === 'remove') === state.includes(asked.name);
    if (seen !== undefined && 'isDone' in seen && seen.isDone !== canBeDone) return undefined;
    if (!canBeDone) return state;
    const others = state.filter((name) => name !== asked.name);
    return asked.kind === 'remove' ? others : [...others, asked.name].sort();
  },
  keyOf: (state) => state.join(),
};
