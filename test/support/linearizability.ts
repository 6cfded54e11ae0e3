/**
 * Decides whether one order of operations, consistent with the clock, explains the observations of all clients: the
 * search of Wing and Gong with memoization.
 */

/** An operation of one client, between two readings of the same clock. */
export interface Operation<Request, Seen> {
  readonly request: Request;
  /** Undefined for an unknown outcome: it was applied at some time after the request, or never. */
  readonly seen: Seen | undefined;
  readonly from: number;
  readonly to: number;
}

/** The sequential specification of an object. */
export interface Model<State, Request, Seen> {
  readonly initial: State;
  /** The next state; undefined if the result is impossible. An unknown result is always possible. */
  next(state: State, request: Request, seen: Seen | undefined): State | undefined;
  /** Equal for equal states. */
  formatKey(state: State): string;
}

/** The progress of one order. */
interface Reached<State> {
  readonly state: State;
  /** All operations before this one are applied, and some after it. */
  readonly base: number;
  readonly ahead: readonly number[];
  /** The number of applied operations with unknown outcomes, per distinct request. */
  readonly doubtful: readonly number[];
}

export function isLinearizable<State, Request, Seen>(
  model: Model<State, Request, Seen>,
  history: readonly Operation<Request, Seen>[],
): boolean {
  const inOrder = history.toSorted((one, other) => one.from - other.from);
  const known = inOrder.filter(({ seen }) => seen !== undefined);
  const doubtful = alike(inOrder.filter(({ seen }) => seen === undefined));
  const visited = new Map<string, (readonly number[])[]>();
  const ways: Reached<State>[] = [{ state: model.initial, base: 0, ahead: [], doubtful: doubtful.map(() => 0) }];

  for (let reached = ways.pop(); reached !== undefined; reached = ways.pop()) {
    if (reached.base === known.length) return true;
    const place = `${reached.base} ${formatRanges(reached.ahead)} ${model.formatKey(reached.state)}`;
    const before = visited.get(place) ?? [];
    // A position reached with fewer unknown operations can reach everything that this one can.
    if (before.some((used) => used.every((count, index) => count <= (reached.doubtful[index] ?? 0)))) continue;
    visited.set(place, [...before, reached.doubtful]);
    // Try the last one first: the earliest start, which is the most likely order.
    ways.push(...nextWays(reached).reverse());
  }
  return false;

  function nextWays(reached: Reached<State>): Reached<State>[] {
    const { state, base, ahead } = reached;
    const next: Reached<State>[] = [];
    // An operation that started after another one ended cannot precede it.
    let firstEnd = Number.POSITIVE_INFINITY;
    const done = new Set(ahead);
    for (let index = base; index < known.length; index += 1) {
      const operation = known[index];
      if (operation === undefined || operation.from > firstEnd) break;
      if (done.has(index)) continue;
      firstEnd = Math.min(firstEnd, operation.to);
      const after = model.next(state, operation.request, operation.seen);
      if (after !== undefined) next.push({ ...reached, state: after, ...advanced(base, ahead, index) });
    }
    for (const [index, same] of doubtful.entries()) {
      const count = reached.doubtful[index] ?? 0;
      const operation = same[count];
      if (operation === undefined || operation.from > firstEnd) continue;
      const after = model.next(state, operation.request, undefined);
      if (after === undefined || model.formatKey(after) === model.formatKey(state)) continue;
      next.push({ ...reached, state: after, doubtful: reached.doubtful.with(index, count + 1) });
    }
    return next;
  }
}

/** Equal requests in order of their start: as each may be applied at any later time, trying the first is enough. */
function alike<O extends { readonly request: unknown }>(operations: readonly O[]): readonly (readonly O[])[] {
  return [...Map.groupBy(operations, ({ request }) => JSON.stringify(request)).values()];
}

/** `3,5-9`: a compact key, since a slow operation may be overtaken by thousands. */
function formatRanges(indexes: readonly number[]): string {
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

/** A register with one value or none: created, changed, removed and read. */
export type RegisterRequest =
  | { readonly kind: 'make' | 'change'; readonly value: string }
  | { readonly kind: 'remove' }
  | { readonly kind: 'read' };

/** Whether it was applied; for a read, the value (null: none). */
export type RegisterSeen = { readonly isDone: boolean } | { readonly value: string | null };

export const register: Model<string | null, RegisterRequest, RegisterSeen> = {
  initial: null,
  next(state, request, seen) {
    if (request.kind === 'read') {
      return seen === undefined || ('value' in seen && seen.value === state) ? state : undefined;
    }
    const canBeDone = (request.kind === 'make') === (state === null);
    if (seen !== undefined && 'isDone' in seen && seen.isDone !== canBeDone) return undefined;
    if (!canBeDone) return state;
    return request.kind === 'remove' ? null : request.value;
  },
  formatKey: (state) => JSON.stringify(state),
};

/** A set of names: added, removed and listed. */
export type NamesRequest = { readonly kind: 'add' | 'remove'; readonly name: string } | { readonly kind: 'list' };

/** Whether it was applied; for a list, the names. */
export type NamesSeen = { readonly isDone: boolean } | { readonly names: readonly string[] };

export const names: Model<readonly string[], NamesRequest, NamesSeen> = {
  initial: [],
  next(state, request, seen) {
    if (request.kind === 'list') {
      const isSame = seen === undefined || ('names' in seen && [...seen.names].sort().join() === state.join());
      return isSame ? state : undefined;
    }
    const canBeDone = (request.kind === 'remove') === state.includes(request.name);
    if (seen !== undefined && 'isDone' in seen && seen.isDone !== canBeDone) return undefined;
    if (!canBeDone) return state;
    const others = state.filter((name) => name !== request.name);
    return request.kind === 'remove' ? others : [...others, request.name].sort();
  },
  formatKey: (state) => state.join(),
};
