/** Problems with the change history. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind, type UndoConflict } from '../kind.ts';

/** Conflicts that a message names; the others are counted. */
const MAX_NAMED = 5;

export const historyProblems = {
  'change-unknown': defineProblemKind(
    404,
    'No change has that number, or it is no longer in the history.',
    (d: { sequence: string; oldest: number; position: number }) =>
      `No such change: '${d.sequence}'. The history contains changes ${d.oldest} to ${d.position}.`,
  ),
  'change-file-unknown': defineProblemKind(
    404,
    'The change has no style or template file with that hash, or the file is no longer stored.',
    (d: { sequence: string; hash: string }) =>
      `Change ${d.sequence} has no stored file '${d.hash}'. Read the hashes in 'content' of its items; replaced files are deleted after --undo-files-hours.`,
  ),
  'position-ahead': defineProblemKind(
    400,
    'The requested position is after the last change.',
    (d: { after: string; position: number }) =>
      `Change ${d.after} does not exist yet: the last change is ${d.position}. Use ${d.position} or a smaller number.`,
  ),
  'history-trimmed': defineProblemKind(
    410,
    'The requested changes are no longer in the history.',
    (d: { after: number; oldest: number }) =>
      `Changes from ${d.after + 1} on were partly removed from the history: the oldest one available is ${d.oldest}. Read the current state again, and continue from its position.`,
  ),
  'history-incomplete': defineProblemKind(
    410,
    'Changes are missing from the history, so the earlier state cannot be determined.',
    (d: { first: number; last: number }) =>
      `Changes ${d.first} to ${d.last} are missing from the history, so nothing was restored. Restore a state after them.`,
  ),
  'restore-overtaken': defineProblemKind(
    503,
    'Other clients kept making changes during the restore, so nothing was restored.',
    (_: { retryAfterSeconds: number }) =>
      'Other clients kept making changes during the restore, so nothing was restored. Retry when they have finished.',
  ),
  'undo-conflict': defineProblemKind(
    409,
    'Later changes conflict with the change that is to be undone.',
    (d: { sequence: number; conflicts: readonly UndoConflict[] }) =>
      `Change ${d.sequence} cannot be undone, because later changes conflict with it: ${formatConflicts(d.conflicts)}. Undo the later changes first.`,
  ),
  'undo-files-gone': defineProblemKind(
    409,
    'The files, or the granule index, of the earlier state were removed.',
    (d: { path: string | null }) =>
      `The earlier data of ${d.path ?? 'a resource'} was removed from the server, so nothing was undone.`,
  ),
  'undo-hides-edits': defineProblemKind(
    409,
    'The change made features of a store editable; the state before it would hide all edits since.',
    (d: { sequence: number; path: string | null }) =>
      `Change ${d.sequence} made the features of ${d.path ?? 'a store'} editable and cannot be undone: the uploaded file lacks all edits since, and they would be hidden. To go back to the uploaded file, upload it to the store again; to restore the rest, restore a state after change ${d.sequence}.`,
  ),
  'undo-impossible': defineProblemKind(
    409,
    'Changes of the keystore, deletions of tokens, and the initial configuration of the server cannot be undone.',
    () => 'Changes of the keystore, deletions of tokens, and the initial configuration of the server cannot be undone.',
  ),
} as const;

function formatConflicts(conflicts: readonly UndoConflict[]): string {
  const each = conflicts.map(
    ({ path, change }) => `${path ?? 'an internal record'}${change === null ? '' : ` (change ${change})`}`,
  );
  return enumerate(each.slice(0, MAX_NAMED), each.length);
}
