/** What can go wrong with the stores and layers of other map servers. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const cascadedProblems = {
  'cascaded-store-not-empty': defineProblemKind(
    403,
    'The store of another map server still has published layers and recurse was not asked for.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The store '${d.name}' is not empty: it holds ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'cascaded-store-without-url': defineProblemKind(
    400,
    'The store of another map server needs the address of its capabilities.',
    (d: { service: string }) =>
      `The store has no capabilitiesURL; the address of the capabilities of a ${d.service} was expected.`,
  ),
  'cascaded-store-invalid': defineProblemKind(
    400,
    'What the document says of the connection to another map server cannot be.',
    (d: { name: string; reason: string }) => `The ${d.name} of the store cannot be so: ${d.reason}.`,
  ),
  'cascaded-layer-unknown': defineProblemKind(
    404,
    'There is no published layer of another map server of that name.',
    (d: { name: string; service: string }) => `No such ${d.service} layer: '${d.name}'.`,
  ),
  'cascaded-layer-exists': defineProblemKind(
    409,
    'A layer of another map server is published by that name already in the workspace.',
    (d: { name: string; workspace: string }) =>
      `A layer of another server named '${d.name}' already exists in the workspace '${d.workspace}'.`,
  ),
  'cascaded-layer-in-use': defineProblemKind(
    403,
    'A layer shows what another map server has, and recurse was not asked for.',
    (d: { name: string; blockers: readonly string[] }) =>
      `'${d.name}' is used by ${d.blockers.join(', ')}. Delete them first, or add recurse=true.`,
  ),
  'cascaded-layer-without-store': defineProblemKind(
    400,
    'The document of a layer of another map server has to name its store where the path does not.',
    () => 'The document does not name the store of the layer; name it in store, or send it to the layers of the store.',
  ),
  'remote-layer-unknown': defineProblemKind(
    400,
    'The other map server has no layer of that name.',
    (d: { name: string; store: string; known: string }) =>
      `The server of the store '${d.store}' has no layer named '${d.name}'; it has ${d.known}.`,
  ),
} as const;
