/** Problems with uploads of data. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const uploadProblems = {
  'upload-method-unknown': defineProblemKind(
    400,
    'The upload method in the path is unknown.',
    (d: { method: string }) => `Unknown upload method '${d.method}'. Use file, url or external.`,
  ),
  'upload-format-unknown': defineProblemKind(
    400,
    'The upload format in the path is not supported.',
    (d: { format: string; known: readonly string[] }) =>
      `Unsupported format: '${d.format}'. Supported formats: ${d.known.join(', ')}.`,
  ),
  'upload-target-unsupported': defineProblemKind(
    400,
    'A new store cannot be created in the format that `target` names.',
    (d: { format: string; target: string; targets: readonly string[] }) =>
      `A new store for '${d.format}' data cannot have the format '${d.target}'. Set target to ${d.targets.join(' or ')}, or omit it.`,
  ),
  'upload-empty': defineProblemKind(
    400,
    'The body of an upload is empty.',
    (d: { expected: string }) => `The request has no body. Expected ${d.expected}.`,
  ),
  'upload-without-data': defineProblemKind(
    400,
    'The archive, file or folder contains no data of the format.',
    (d: { format: string; reason: string }) => `No ${d.format} data was found: ${d.reason}.`,
  ),
  'upload-into-other-store': defineProblemKind(
    400,
    'The store exists, and its type does not accept the uploaded format.',
    (d: { name: string; type: string; format: string; importTypes: readonly string[] }) =>
      `The store '${d.name}' is a ${d.type} store, into which '${d.format}' data cannot be imported${d.importTypes.length === 0 ? '' : `; stores of the types ${d.importTypes.join(', ')} accept it`}. Use another name, or delete the store first.`,
  ),
  'upload-loses-data': defineProblemKind(
    409,
    'The upload would remove data that published resources use.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The upload would remove the data of ${enumerate(d.blockers, d.total)} from the store '${d.name}', so nothing was changed. Delete the published resources first, or upload to another store.`,
  ),
  'mapping-refused': defineProblemKind(
    400,
    'A mapping, or a schema that it requires, is invalid. Every error is listed with its file and line.',
    (d: { reasons: readonly { readonly file: string; readonly line: number; readonly message: string }[] }) =>
      `The mapping is invalid. ${d.reasons.map(({ file, line, message }) => `${file}, line ${line}: ${message}`).join(' ')}`,
  ),
  'mapping-too-large': defineProblemKind(
    400,
    'A mapping or schema exceeds the size limit.',
    (d: { what: string; limit: number }) => `${d.what} may have at most ${d.limit} bytes.`,
  ),
  'upload-beyond-storage': defineProblemKind(
    413,
    'The files exceed the limit for uploads that are stored in a shared database.',
    (d: { bytes: number; limitBytes: number }) =>
      `The files have ${d.bytes} bytes in total, which exceeds the limit of ${d.limitBytes} bytes for files in the database. The operator can raise --max-stored-upload-mb, or store files in a directory that all nodes share (--blobs).`,
  ),
  'upload-changes-types': defineProblemKind(
    400,
    'The types of the upload differ from those of the store, and configure=none was set.',
    (d: { name: string; added: readonly string[]; removed: readonly string[] }) =>
      `The types of the upload differ from those of the store '${d.name}'${formatChanges(d)}, so nothing was changed. With configure=none, an upload can only replace the mapping of the same types. Delete the store, and create it again with a PUT.`,
  ),
  'store-read-only': defineProblemKind(
    400,
    'The data of the store is read-only.',
    (d: { name: string }) => `The store '${d.name}' is read-only (parameter read_only), so nothing was imported.`,
  ),
} as const;

function formatChanges({
  added,
  removed,
}: {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}): string {
  const parts = [
    ...(added.length === 0 ? [] : [`new ${enumerate(added, added.length)}`]),
    ...(removed.length === 0 ? [] : [`without ${enumerate(removed, removed.length)}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}
