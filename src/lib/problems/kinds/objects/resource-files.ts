/** What can go wrong with the files of the data directory that clients may see. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const resourceFileProblems = {
  'resource-unknown': defineProblemKind(
    404,
    'Nothing is at that path of the data directory, or nothing that clients may see.',
    (d: { path: string }) => `There is nothing at '${d.path}'.`,
  ),
  'resource-folder': defineProblemKind(
    405,
    'A folder would be written, moved or copied, which only files can be.',
    (d: { path: string }) => `'${d.path}' is a folder. Only files are written, moved and copied.`,
  ),
  'resource-place': defineProblemKind(
    405,
    'Nothing is written at that path: files are kept in styles, in workspaces/<workspace>/styles, in data, and as templates.',
    (d: { path: string }) =>
      `Nothing can be written at '${d.path}'. Files are kept in styles, in workspaces/<workspace>/styles, in data, and as templates (.ftl).`,
  ),
  'resource-uploaded': defineProblemKind(
    403,
    'The file belongs to what was uploaded to a store, and changes with the next upload only.',
    (d: { path: string; store: string }) =>
      `'${d.path}' belongs to what was uploaded to the store '${d.store}'. Upload to the store to change it.`,
  ),
  'resource-on-one-node': defineProblemKind(
    409,
    'Files below data are on the disk of one node, and the storage is shared by several: other nodes could not read it.',
    (d: { path: string }) =>
      `'${d.path}' cannot be written: files below data exist on one node only, and this storage is shared by several nodes. Upload the data to a store (PUT /workspaces/{workspace}/datastores/{store}/file.{format}), or copy the file into a folder that every node mounts.`,
  ),
  'resource-in-use': defineProblemKind(
    403,
    'Styles use the file.',
    (d: { path: string; styles: readonly string[] }) =>
      `'${d.path}' is used by ${enumerate(
        d.styles.map((name) => `'${name}'`),
        d.styles.length,
      )}. Change or delete the style first.`,
  ),
  'resource-not-empty': defineProblemKind(
    403,
    'The folder still holds something.',
    (d: { path: string }) => `The folder '${d.path}' is not empty. Delete what is in it first.`,
  ),
  'resource-kind': defineProblemKind(
    400,
    'What is kept with styles must be a style or an image.',
    (d: { path: string; reason: string }) => `'${d.path}' cannot be kept with the styles: ${d.reason}.`,
  ),
  'resource-source': defineProblemKind(
    400,
    'The source of a move or a copy is missing, or cannot be moved there.',
    (d: { source: string; reason: string }) => `'${d.source}' cannot be moved or copied: ${d.reason}.`,
  ),
} as const;
