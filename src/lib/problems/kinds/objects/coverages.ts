/** What can go wrong with coverage stores and coverages. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const coverageProblems = {
  'coverage-store-not-empty': defineProblemKind(
    403,
    'The store still has published coverages and recurse was not asked for.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The coverage store '${d.name}' is not empty: it holds ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'coverage-store-type-unknown': defineProblemKind(
    400,
    'The type of a coverage store is none of those this server has.',
    (d: { type: string; types: readonly string[] }) =>
      d.type === ''
        ? `The document does not say the type of the coverage store, and its url does not tell it; the types are ${d.types.join(', ')}.`
        : `'${d.type}' is no type of coverage store; the types are ${d.types.join(', ')}.`,
  ),
  'mosaic-type-fixed': defineProblemKind(
    400,
    'A mosaic does not become a store of another type, nor another store a mosaic.',
    (d: { name: string }) =>
      `The coverage store '${d.name}' keeps its type: a mosaic has an index of granules, and no other store has one. Create another store for it.`,
  ),
  'coverage-store-without-url': defineProblemKind(
    400,
    'A coverage store needs the place of its file.',
    () => "The coverage store has no url; one such as 'file:data/relief.tif' was expected.",
  ),
  'coverage-unknown': defineProblemKind(
    404,
    'There is no published coverage of that name.',
    (d: { name: string }) => `No such coverage: '${d.name}'.`,
  ),
  'coverage-exists': defineProblemKind(
    409,
    'A coverage of that name is published already in the workspace.',
    (d: { name: string; workspace: string }) =>
      `A coverage named '${d.name}' already exists in the workspace '${d.workspace}'.`,
  ),
  'coverage-in-use': defineProblemKind(
    403,
    'A layer shows this coverage and recurse was not asked for.',
    (d: { name: string; blockers: readonly string[] }) =>
      `The coverage '${d.name}' is used by ${d.blockers.join(', ')}. Delete them first, or add recurse=true.`,
  ),
  'coverage-without-store': defineProblemKind(
    400,
    'The document of a coverage has to name its store where the path does not.',
    () =>
      'The document does not name the store of the coverage; name it in store, or send it to the coverages of the store.',
  ),
  'native-coverage-unknown': defineProblemKind(
    400,
    'The data has no coverage of that name.',
    (d: { name: string; store: string; known: string }) =>
      `The store '${d.store}' has no coverage named '${d.name}'; it has ${d.known}.`,
  ),
  'coverage-name-ambiguous': defineProblemKind(
    400,
    'One name was given for several coverages.',
    (d: { name: string; found: string }) =>
      `The data has several coverages (${d.found}), which cannot all be called '${d.name}'. Leave out coverageName, or configure=none and publish each by itself.`,
  ),
  'coverage-dimension-invalid': defineProblemKind(
    400,
    'What the document says of the bands of a coverage cannot be.',
    (d: { reason: string }) => `The dimensions of the coverage cannot be so: ${d.reason}.`,
  ),
  'mosaic-gone': defineProblemKind(
    409,
    'The mosaic was deleted, replaced or taken back while it was being written.',
    (d: { name: string }) =>
      `The mosaic '${d.name}' was deleted, replaced or taken back in the meantime; nothing of this request was kept.`,
  ),
  'purge-refused': defineProblemKind(
    403,
    'The files of a mosaic lie in a folder of the server, where this user may not have files removed.',
    (d: { name: string; reason: string }) =>
      `The files of the mosaic '${d.name}' lie in a folder of the server and may not be removed: ${d.reason}. Leave out purge=all, and they stay.`,
  ),
  'granule-index-missing': defineProblemKind(
    404,
    'The coverage has no index of granules, since its store is no image mosaic.',
    (d: { name: string }) => `The coverage '${d.name}' is not made of granules; only those of image mosaics are.`,
  ),
  'granule-unknown': defineProblemKind(
    404,
    'The coverage has no granule of that id.',
    (d: { id: string; name: string }) => `The coverage '${d.name}' has no granule with the id '${d.id}'.`,
  ),
  'granule-filter-invalid': defineProblemKind(
    400,
    'The filter on granules cannot be read as ECQL, or does not fit their attributes.',
    (d: { line: number; column: number; reason: string }) =>
      `The filter is not valid ECQL on these granules at line ${d.line}, column ${d.column}: ${d.reason}${d.reason.endsWith('?') ? '' : '.'}`,
  ),
  'mosaic-index-unreachable': defineProblemKind(
    400,
    'The database that the definition of a mosaic names for its index cannot be used.',
    (d: { name: string; reason: string }) =>
      `The index of the mosaic '${d.name}' cannot be kept where datastore.properties says: ${d.reason}. Nothing was made.`,
  ),
  'mosaic-index-store-refused': defineProblemKind(
    400,
    'The store that the definition of a mosaic names for its index cannot have it.',
    (d: { store: string; reason: string }) =>
      `The index of a mosaic cannot be kept in the store '${d.store}' that datastore.properties names: ${d.reason}.`,
  ),
  'mosaic-empty': defineProblemKind(
    400,
    'No granule of a new mosaic could be read, and its definition does not say that it may be empty.',
    (d: { name: string; reasons: string }) =>
      `There is no granule for the mosaic '${d.name}'${d.reasons === '' ? '' : ` (${d.reasons})`}. Add granules, or CanBeEmpty=true to its indexer and harvest later.`,
  ),
  'mosaic-wanted': defineProblemKind(
    405,
    'Only a mosaic can be harvested into.',
    (d: { name: string; type: string }) =>
      `The coverage store '${d.name}' is of the type ${d.type}; only an ImageMosaic can be harvested into.`,
  ),
  'mosaic-outside': defineProblemKind(
    400,
    'Files cannot be uploaded into a mosaic whose folder is on the server and not ours.',
    (d: { name: string }) =>
      `The files of the mosaic '${d.name}' lie in a folder of the server that we do not write into. Put the granules there, and harvest them with external.`,
  ),
  'upload-into-other-coverage-store': defineProblemKind(
    400,
    'The coverage store exists and is of another kind.',
    (d: { name: string; type: string; format: string }) =>
      `The coverage store '${d.name}' is of the type ${d.type}, and takes no '${d.format}' data. Use another name, or delete it first.`,
  ),
} as const;
