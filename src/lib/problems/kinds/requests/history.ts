/** What can go wrong with the history of changes. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind, type UndoConflict } from '../kind.ts';

/** How many of what stands in the way a sentence names. */
const MAX_NAMED = 5;

export const historyProblems = {
  'change-unknown': defineProblemKind(
    404,
    'There is no change of that number, or it is no longer kept.',
    (d: { sequence: string; oldest: number; position: number }) =>
      `There is no change '${d.sequence}'; those from ${d.oldest} to ${d.position} are kept.`,
  ),
  'position-ahead': defineProblemKind(
    400,
    'Changes after a number are asked for that no change has yet.',
    (d: { after: string; position: number }) =>
      `There is no change ${d.after} yet; the last one is ${d.position}. Begin after that one, or before.`,
  ),
  'history-trimmed': defineProblemKind(
    410,
    'Changes are asked for that are no longer kept.',
    (d: { after: number; oldest: number }) =>
      `The changes from ${d.after + 1} on are no longer all kept; the oldest that is has the number ${d.oldest}. Read what you follow anew, and go on from its position.`,
  ),
  'history-incomplete': defineProblemKind(
    410,
    'Changes between then and now are missing from the history, so that how things were cannot be told.',
    (d: { first: number; last: number }) =>
      `The changes from ${d.first} to ${d.last} are missing from the history, so nothing was brought back. Bring back a state after them.`,
  ),
  'restore-overtaken': defineProblemKind(
    503,
    'Others went on making changes while everything was to be brought back, so nothing was.',
    (_: { retryAfterSeconds: number }) =>
      'Others went on making changes while everything was to be brought back, so nothing was. Send this again when they pause.',
  ),
  'undo-conflict': defineProblemKind(
    409,
    'What a change left was changed since, or something stands in the way of how it was before.',
    (d: { sequence: number; conflicts: readonly UndoConflict[] }) =>
      `The change ${d.sequence} cannot be taken back: ${formatConflicts(d.conflicts)} is not as it left it, or stands in the way. Take the later changes back first.`,
  ),
  'undo-files-gone': defineProblemKind(
    409,
    'The files, or the index of granules, of how something was before are no longer kept.',
    (d: { path: string | null }) =>
      `The data of ${d.path ?? 'a resource'} as it was before is no longer kept, so nothing was taken back.`,
  ),
  'undo-hides-edits': defineProblemKind(
    409,
    'The change made features of a store editable; the state before it would hide all edits since.',
    (d: { sequence: number; path: string | null }) =>
      `Change ${d.sequence} made the features of ${d.path ?? 'a store'} editable and cannot be undone: the uploaded file lacks all edits since, and they would be hidden. To go back to the uploaded file, upload it to the store again; to restore the rest, restore a state after change ${d.sequence}.`,
  ),
  'undo-impossible': defineProblemKind(
    409,
    'A change of the keystore, or one that made what a new server has, cannot be taken back.',
    () => 'The password of the keystore, and what the server made by itself at its first start, cannot be taken back.',
  ),
} as const;

function formatConflicts(conflicts: readonly UndoConflict[]): string {
  const each = conflicts.map(
    ({ path, change }) => `${path ?? 'something without an address'}${change === null ? '' : ` (change ${change})`}`,
  );
  return enumerate(each.slice(0, MAX_NAMED), each.length);
}
