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

/** How far an order has got. */
interface Reached<State> {
  readonly state: State;
  /** Everything before this one is done, and some after it are. */
  readonly base: number;
  readonly ahead: readonly number[];
  /** How many were done of which nobody knows, of each that asks for something else. */
  readonly doubtful: readonly number[];
}

export function isLinearizable<State, Asked, Seen>(
  model: Model<State, Asked, Seen>,
  history: readonly Operation<Asked, Seen>[],
): boolean {
  const inOrder = history.toSorted((one, other) => one.from - other.from);
  const known = inOrder.filter(({ seen }) => seen !== undefined);
  const doubtful = alike(inOrder.filter(({ seen }) => seen === undefined));
  const visited = new Map<string, (readonly number[])[]>();
  const ways: Reached<State>[] = [{ state: model.initial, base: 0, ahead: [], doubtful: doubtful.map(() => 0) }];

  for (let reached = ways.pop(); reached !== undefined; reached = ways.pop()) {
    if (reached.base === known.length) return true;
    const place = `${reached.base} ${rangesOf(reached.ahead)} ${model.keyOf(reached.state)}`;
    const before = visited.get(place) ?? [];
    // Who has come here with less of what nobody knows can go wherever this one can.
    if (before.some((used) => used.every((count, index) => count <= (reached.doubtful[index] ?? 0)))) continue;
    visited.set(place, [...before, reached.doubtful]);
    // The last one is tried first: whoever began first, since that is mostly how things happened.
    ways.push(...nextWays(reached).reverse());
  }
  return false;

  function nextWays(reached: Reached<State>): Reached<State>[] {
    const { state, base, ahead } = reached;
    const next: Reached<State>[] = [];
    // Whatever began after another one had ended cannot have come before it.
    let firstEnd = Number.POSITIVE_INFINITY;
    const done = new Set(ahead);
    for (let index = base; index < known.length; index += 1) {
      const operation = known[index];
      if (operation === undefined || operation.from > firstEnd) break;
      if (done.has(index)) continue;
      firstEnd = Math.min(firstEnd, operation.to);
      const after = model.next(state, operation.asked, operation.seen);
      if (after !== undefined) next.push({ ...reached, state: after, ...advanced(base, ahead, index) });
    }
    for (const [index, same] of doubtful.entries()) {
      const count = reached.doubtful[index] ?? 0;
      const operation = same[count];
      if (operation === undefined || operation.from > firstEnd) continue;
      const after = model.next(state, operation.asked, undefined);
      if (after === undefined || model.keyOf(after) === model.keyOf(state)) continue;
      next.push({ ...reached, state: after, doubtful: reached.doubtful.with(index, count + 1) });
    }
    return next;
  }
}

/** Those that ask for the same, in the order they began: since they may be done at any time after, the first is as good as any. */
function alike<O extends { readonly asked: unknown }>(operations: readonly O[]): readonly (readonly O[])[] {
  return [...Map.groupBy(operations, ({ asked }) => JSON.stringify(asked)).values()];
}

/** `3,5-9`: short also for many, since a slow one may have been overtaken by thousands. */
function rangesOf(indexes: readonly number[]): string {
  return indexes
    .flatMap((index, at) => {
      const isFirst = indexes[at - 1] !== index - 1;
      const isLast = indexes[at + 1] !== index + 1;
      if (isFirst) return [`,${index}`];
      return isLast ? [`-${index}`] : [];
    })
    .join('');
}

function advanced(base: number, ahead: readonly number[], done: number): Pick<Reached<unknown>, 'base' | 'ahead'> {
  const all = new Set([...ahead, done]);
  let first = base;
  while (all.delete(first)) first += 1;
  return { base: first, ahead: [...all].sort((one, other) => one - other) };
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
