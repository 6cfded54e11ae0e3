/** Problems with coverage stores, coverages and mosaics. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';
import { formatResourceLocation, type ResourceLocation } from './resource-location.ts';

export const coverageProblems = {
  'coverage-store-not-empty': defineProblemKind(
    403,
    'The store still contains published coverages, and recurse=true was not set.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The coverage store '${d.name}' is not empty: it contains ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'coverage-store-type-unknown': defineProblemKind(
    400,
    'The type of a coverage store is missing or unknown.',
    (d: { type: string; types: readonly string[] }) =>
      d.type === ''
        ? `The type of the coverage store is missing, and cannot be derived from its url. Supported types: ${d.types.join(', ')}.`
        : `Unknown type of coverage store: '${d.type}'. Supported types: ${d.types.join(', ')}.`,
  ),
  'mosaic-type-fixed': defineProblemKind(
    400,
    'The type of a coverage store cannot be changed to or from an image mosaic.',
    (d: { name: string }) =>
      `The type of the coverage store '${d.name}' cannot be changed to or from ImageMosaic, because only mosaics have a granule index. Create another store.`,
  ),
  'coverage-store-without-url': defineProblemKind(
    400,
    'The coverage store has no url.',
    () => "The coverage store has no url. Set it to the location of its data, such as 'file:data/relief.tif'.",
  ),
  'coverage-unknown': defineProblemKind(
    404,
    'No published coverage has that name.',
    (d: ResourceLocation) => `No such coverage: ${formatResourceLocation(d)}.`,
  ),
  'coverage-exists': defineProblemKind(
    409,
    'The workspace already has a published coverage of that name.',
    (d: { name: string; workspace: string }) =>
      `A coverage named '${d.name}' already exists in the workspace '${d.workspace}'.`,
  ),
  'coverage-in-use': defineProblemKind(
    403,
    'A layer uses the coverage, and recurse=true was not set.',
    (d: { name: string; blockers: readonly string[] }) =>
      `The coverage '${d.name}' is used by ${d.blockers.join(', ')}. Delete them first, or add recurse=true.`,
  ),
  'coverage-without-store': defineProblemKind(
    400,
    'Neither the document nor the path names the store of the coverage.',
    () =>
      'The document does not name the store of the coverage. Name it in store, or send the document to the coverages of the store.',
  ),
  'native-coverage-unknown': defineProblemKind(
    400,
    'The data has no coverage of that name.',
    (d: { name: string; store: string; known: string }) =>
      `The store '${d.store}' has no coverage named '${d.name}'. It has ${d.known}.`,
  ),
  'coverage-name-ambiguous': defineProblemKind(
    400,
    'The data contains several coverages, but one name was given.',
    (d: { name: string; found: string }) =>
      `The data contains several coverages (${d.found}), so the name '${d.name}' is ambiguous. Remove coverageName, or use configure=none and publish each coverage separately.`,
  ),
  'coverage-dimension-invalid': defineProblemKind(
    400,
    'The band definitions of a coverage are invalid.',
    (d: { reason: string }) => `The dimensions of the coverage are invalid: ${d.reason}.`,
  ),
  'mosaic-gone': defineProblemKind(
    409,
    'The mosaic was deleted, replaced or undone while it was being written.',
    (d: { name: string }) =>
      `The mosaic '${d.name}' was deleted, replaced or undone in the meantime. Nothing of this request was saved.`,
  ),
  'purge-refused': defineProblemKind(
    403,
    'The files of a mosaic are in a folder of the server in which this user may not delete files.',
    (d: { name: string; reason: string }) =>
      `The files of the mosaic '${d.name}' are in a folder of the server and cannot be deleted: ${d.reason}. Remove purge=all to keep them.`,
  ),
  'granule-index-missing': defineProblemKind(
    404,
    'The coverage has no granules, because its store is not an image mosaic.',
    (d: { name: string }) => `The coverage '${d.name}' has no granules. Only coverages of image mosaics have granules.`,
  ),
  'granule-unknown': defineProblemKind(
    404,
    'The coverage has no granule with that id.',
    (d: { id: string; name: string }) => `The coverage '${d.name}' has no granule with the id '${d.id}'.`,
  ),
  'granule-filter-invalid': defineProblemKind(
    400,
    'The granule filter is not valid ECQL, or does not match the attributes of the granules.',
    (d: { line: number; column: number; reason: string }) =>
      `The filter is not valid ECQL on these granules at line ${d.line}, column ${d.column}: ${d.reason}.`,
  ),
  'mosaic-index-unreachable': defineProblemKind(
    400,
    'The database that a mosaic definition names for its granule index is unavailable.',
    (d: { name: string; reason: string }) =>
      `The granule index of the mosaic '${d.name}' cannot be stored in the database that datastore.properties names: ${d.reason}. Nothing was created.`,
  ),
  'mosaic-index-store-refused': defineProblemKind(
    400,
    'The store that a mosaic definition names for its granule index is not suitable.',
    (d: { store: string; reason: string }) =>
      `The granule index cannot be stored in the store '${d.store}' that datastore.properties names: ${d.reason}.`,
  ),
  'mosaic-empty': defineProblemKind(
    400,
    'No granule of a new mosaic could be read, and its definition does not allow an empty mosaic.',
    (d: { name: string; reasons: string }) =>
      `The mosaic '${d.name}' has no granules${d.reasons === '' ? '' : ` (${d.reasons})`}. Add granules, or set CanBeEmpty=true in its indexer and harvest later.`,
  ),
  'mosaic-wanted': defineProblemKind(
    405,
    'Granules can be harvested into image mosaics only.',
    (d: { name: string; type: string }) =>
      `The coverage store '${d.name}' has the type ${d.type}. Granules can be harvested into an ImageMosaic only.`,
  ),
  'mosaic-outside': defineProblemKind(
    400,
    'Files cannot be uploaded into a mosaic whose folder is not managed by the server.',
    (d: { name: string }) =>
      `The files of the mosaic '${d.name}' are in a folder that the server does not write to. Copy the granules into that folder, and harvest them with external.`,
  ),
  'mosaic-list-invalid': defineProblemKind(
    400,
    'The list of remote granules to harvest is invalid.',
    (d: { reason: string }) =>
      `The list of remote granules is not valid: ${d.reason}. Send http, https or s3 URLs, one per line, a STAC item collection, or the URL of one.`,
  ),
  'upload-into-other-coverage-store': defineProblemKind(
    400,
    'The coverage store exists and has another type.',
    (d: { name: string; type: string; format: string }) =>
      `The coverage store '${d.name}' has the type ${d.type} and does not accept '${d.format}' data. Use another name, or delete the store first.`,
  ),
} as const;
