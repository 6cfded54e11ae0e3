/** What can be wrong with vector data. Files go by their name: where they lie is nobody's business. */
import { kind } from './kind.ts';

export const vectorProblems = {
  'vector-type-unknown': kind(
    404,
    'The data source has no type of that name.',
    (d: { name: string }) => `The data source has no type named '${d.name}'.`,
  ),
  'vector-file-missing': kind(
    400,
    'A file of the data source is not there.',
    (d: { file: string }) => `The file '${d.file}' does not exist.`,
  ),
  'vector-file-unreadable': kind(
    400,
    'A file of the data source cannot be opened, or is no file.',
    (d: { file: string; reason: string }) => `The file '${d.file}' cannot be read: ${d.reason}.`,
  ),
  'vector-file-truncated': kind(
    400,
    'A file of the data source ends before its content does.',
    (d: { file: string; offset: number; expectedBytes: number }) =>
      `The file '${d.file}' is cut off: it ends at byte ${d.offset}, but ${d.expectedBytes} bytes were expected.`,
  ),
  'vector-file-malformed': kind(
    400,
    'A file of the data source says what cannot be.',
    (d: { file: string; offset: number; reason: string }) =>
      `The file '${d.file}' is not valid at byte ${d.offset}: ${d.reason}.`,
  ),
  'vector-file-unsupported': kind(
    400,
    'A file of the data source is valid but of a kind that is not read here.',
    (d: { file: string; reason: string }) => `The file '${d.file}' is of a kind that is not supported: ${d.reason}.`,
  ),
  'charset-unknown': kind(
    400,
    'The character encoding that was asked for is none that is known here.',
    (d: { charset: string }) =>
      `The charset '${d.charset}' is not known; 'UTF-8' or 'ISO-8859-1' would be, for example.`,
  ),
} as const;
