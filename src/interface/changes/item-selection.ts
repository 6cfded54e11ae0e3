/** Selects items of changes by kind and by path; a path includes everything below it. */
import type { LogReader } from '../../storage/port/port.ts';
import { createPastPaths } from './past-paths.ts';
import { encodePath } from './record-path.ts';

export interface ItemSelection {
  /** Empty selects all. */
  readonly kinds: readonly string[];
  /** Each path includes everything below it; empty selects all. */
  readonly paths: readonly string[];
}

export function isEverything({ kinds, paths }: ItemSelection): boolean {
  return kinds.length === 0 && paths.length === 0;
}

export function isSelected({ kinds, paths }: ItemSelection, kind: string, path: string | null): boolean {
  return (
    isOfKind(kinds, kind) && (paths.length === 0 || (path !== null && paths.some((each) => isAtOrBelow(each, path))))
  );
}

/** Returns whether a change has a selected item. */
export async function hasSelectedItem(log: LogReader, sequence: number, selection: ItemSelection): Promise<boolean> {
  if (isEverything(selection)) return true;
  const places = createPastPaths(log, sequence);
  for await (const item of log.readItems(sequence)) {
    // Path lookups are costly and only needed when paths are selected.
    const isWanted =
      isOfKind(selection.kinds, item.kind) &&
      (selection.paths.length === 0 || isSelected(selection, item.kind, await places.findPath(item)));
    if (isWanted) return true;
  }
  return false;
}

function isOfKind(kinds: readonly string[], kind: string): boolean {
  return kinds.length === 0 || kinds.includes(kind);
}

function isAtOrBelow(requested: string, path: string): boolean {
  const above = normalizePath(requested.replace(/\/+$/, ''));
  return path === above || path.startsWith(`${above}/`);
}

/** Paths of records are encoded; people also write names as they are read, such as `/workspaces/Zürich`. */
function normalizePath(path: string): string {
  const [before, ...segments] = path.split('/');
  return before !== '' || plainPath.test(path) ? path : encodePath(segments.map(decodeSegment));
}

/** Without characters that are written in several ways. */
const plainPath = /^[\w./~!*'()-]*$/;

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Returns whether a change has items of these kinds and no others. Items without a path do not count: they are records of
 * the server itself, such as the revision of the tokens.
 */
export async function hasOnlyKinds(log: LogReader, sequence: number, kinds: readonly string[]): Promise<boolean> {
  const places = createPastPaths(log, sequence);
  let isAny = false;
  for await (const item of log.readItems(sequence)) {
    if (kinds.includes(item.kind)) isAny = true;
    else if ((await places.findPath(item)) !== null) return false;
  }
  return isAny;
}
