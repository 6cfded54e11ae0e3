/** What can be wrong with uploads of data. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const uploadProblems = {
  'upload-method-unknown': defineProblemKind(
    400,
    'The address of an upload names no way in which data comes.',
    (d: { method: string }) => `'${d.method}' is no way to upload; file, url and external are.`,
  ),
  'upload-format-unknown': defineProblemKind(
    400,
    'The address of an upload names a format that cannot be uploaded here.',
    (d: { format: string; known: readonly string[] }) =>
      `Unsupported format: '${d.format}'. Uploads here come as ${d.known.join(' or ')}.`,
  ),
  'upload-target-unsupported': defineProblemKind(
    400,
    'No new store of the format that `target` names can be made from such data.',
    (d: { format: string; target: string; targets: readonly string[] }) =>
      `A new store for '${d.format}' data cannot be of the format '${d.target}'; 'target' may be ${d.targets.join(' or ')}, or be left out.`,
  ),
  'upload-empty': defineProblemKind(
    400,
    'The body of an upload is empty.',
    (d: { expected: string }) => `The request has no body; ${d.expected} was expected.`,
  ),
  'upload-without-data': defineProblemKind(
    400,
    'The archive, file or folder holds no data of the format.',
    (d: { format: string; reason: string }) => `No ${d.format} data could be found: ${d.reason}.`,
  ),
  'upload-into-other-store': defineProblemKind(
    400,
    'The store exists and is of a kind that takes no data of another format.',
    (d: { name: string; type: string; format: string; importTypes: readonly string[] }) =>
      `The store '${d.name}' is a ${d.type} store, into which '${d.format}' data cannot be imported${d.importTypes.length === 0 ? '' : `; ${d.importTypes.join(' and ')} stores take it`}. Use another name, or delete it first.`,
  ),
  'upload-loses-data': defineProblemKind(
    409,
    'The upload would take away data that something published needs.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The upload would take the data of ${enumerate(d.blockers, d.total)} out of the store '${d.name}', so nothing was changed. Delete what is published of it first, or upload to a store of another name.`,
  ),
  'mapping-refused': defineProblemKind(
    400,
    'A mapping, or a schema that it needs, cannot be used; every reason is listed with its file and line.',
    (d: { reasons: readonly { readonly file: string; readonly line: number; readonly message: string }[] }) =>
      `The mapping cannot be used. ${d.reasons.map(({ file, line, message }) => `${file}, line ${line}: ${message}`).join(' ')}`,
  ),
  'mapping-too-large': defineProblemKind(
    400,
    'A mapping or schema is larger than any that people write.',
    (d: { what: string; limit: number }) => `${d.what} may have ${d.limit} bytes at most.`,
  ),
  'upload-beyond-storage': defineProblemKind(
    413,
    'The files are more than a database that keeps them for several nodes is meant for.',
    (d: { bytes: number; limitBytes: number }) =>
      `The files have ${d.bytes} bytes together, and this server keeps ${d.limitBytes} in its database at most. Its operator can raise --max-stored-upload-mb, or have files kept in a directory that all nodes share (--blobs).`,
  ),
  'upload-changes-types': defineProblemKind(
    400,
    'The upload has other types than the store, and nothing is to be configured.',
    (d: { name: string; added: readonly string[]; removed: readonly string[] }) =>
      `The upload has other types than the store '${d.name}'${formatChanges(d)}. With configure=none only the mapping of the same types is replaced, so nothing was changed. Delete the store and create it again with another PUT.`,
  ),
  'store-read-only': defineProblemKind(
    400,
    'The data of the store can only be read.',
    (d: { name: string }) =>
      `The store '${d.name}' can only be read (its parameter read_only), so nothing is imported.`,
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
