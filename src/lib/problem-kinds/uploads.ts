/** What can be wrong with uploads of data. */
import { kind } from './kind.ts';

export const uploadProblems = {
  'upload-method-unknown': kind(
    400,
    'The address of an upload names no way in which data comes.',
    (d: { method: string }) => `'${d.method}' is no way to upload; file, url and external are.`,
  ),
  'upload-format-unknown': kind(
    400,
    'The address of an upload names a format that cannot be uploaded here.',
    (d: { format: string; known: readonly string[] }) =>
      `Unsupported format: '${d.format}'. Uploads here come as ${d.known.join(' or ')}.`,
  ),
  'upload-target-unsupported': kind(
    400,
    'Data would have to be converted into another format, which is not done.',
    (d: { format: string; target: string }) =>
      `Data in the format '${d.format}' is kept as it is and not converted to '${d.target}'. Leave out 'target'.`,
  ),
  'upload-empty': kind(
    400,
    'The body of an upload is empty.',
    (d: { expected: string }) => `The request has no body; ${d.expected} was expected.`,
  ),
  'upload-without-data': kind(
    400,
    'The archive, file or folder holds no data of the format.',
    (d: { format: string; reason: string }) => `No ${d.format} data could be found: ${d.reason}.`,
  ),
  'upload-into-other-store': kind(
    400,
    'The store exists and is of a kind that does not take such files.',
    (d: { name: string; type: string; format: string }) =>
      `The store '${d.name}' is a ${d.type} store and takes no '${d.format}' uploads. Use another name, or delete it first.`,
  ),
} as const;
