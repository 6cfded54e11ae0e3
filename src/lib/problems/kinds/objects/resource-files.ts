/** Problems with the files of the data directory that clients can access. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const resourceFileProblems = {
  'resource-unknown': defineProblemKind(
    404,
    'The path does not exist in the data directory, or clients cannot access it.',
    (d: { path: string }) => `No file or folder exists at '${d.path}'.`,
  ),
  'resource-folder': defineProblemKind(
    405,
    'The path is a folder; only files can be written, moved or copied.',
    (d: { path: string }) => `'${d.path}' is a folder. Only files can be written, moved or copied.`,
  ),
  'resource-place': defineProblemKind(
    405,
    'Files cannot be written at that path. They can be written in styles, in workspaces/<workspace>/styles, in data, as templates, and in layouts (.xml and images). Administrators can also write other files than XML in the folders of workspaces, stores and types.',
    (d: { path: string }) =>
      `Files cannot be written at '${d.path}'. They can be written in styles, in workspaces/<workspace>/styles, in data, as templates (.ftl), and in layouts (.xml and images). Administrators can also write other files than XML in the folders of workspaces, stores and types.`,
  ),
  'resource-uploaded': defineProblemKind(
    403,
    'The file belongs to the uploaded data of a store; only another upload can change it.',
    (d: { path: string; store: string }) =>
      `'${d.path}' belongs to the uploaded data of the store '${d.store}'. Upload to the store to change it.`,
  ),
  'resource-on-one-node': defineProblemKind(
    409,
    'Files below data are on the disk of one node, and several nodes share the storage.',
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
      )}. Change or delete ${d.styles.length === 1 ? 'this style' : 'these styles'} first.`,
  ),
  'resource-not-empty': defineProblemKind(
    403,
    'The folder is not empty.',
    (d: { path: string }) => `The folder '${d.path}' is not empty. Delete its contents first.`,
  ),
  'resource-kind': defineProblemKind(
    400,
    'A file in a style folder must be a style or an image.',
    (d: { path: string; reason: string; action?: string }) =>
      `'${d.path}' cannot be ${d.action ?? 'stored with the styles'}: ${d.reason}.`,
  ),
  'font-invalid': defineProblemKind(
    400,
    'A font is damaged, or in a format that is not supported.',
    (d: { name: string; reason: string }) => `Invalid font '${d.name}': ${d.reason}.`,
  ),
  'layout-invalid': defineProblemKind(
    400,
    'A layout document is well-formed, but not a valid layout.',
    (d: { line: number; column: number; reason: string }) =>
      `Invalid layout: line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'template-invalid': defineProblemKind(
    400,
    'A template has a syntax error, or uses a directive that is not available.',
    (d: { line: number; column: number; reason: string }) =>
      `Invalid template: line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'template-too-costly': defineProblemKind(
    400,
    'A template exceeds the limits of its steps or of the length of its result.',
    (d: { reason: string }) => `A template is stopped: ${d.reason}. Simplify the template, or request fewer features.`,
  ),
  'resource-source': defineProblemKind(
    400,
    'The source of a move or copy is missing, or cannot be moved to the target.',
    (d: { source: string; reason: string }) => `'${d.source}' cannot be moved or copied: ${d.reason}.`,
  ),
} as const;
