/** Problems with the stores and layers of remote map servers. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';
import { formatResourceLocation, type ResourceLocation } from './resource-location.ts';

export const cascadedProblems = {
  'cascaded-store-not-empty': defineProblemKind(
    403,
    'The store of a remote map server still contains published layers, and recurse=true was not set.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The store '${d.name}' is not empty: it contains ${enumerate(d.blockers, d.total)}. Delete them first, or add recurse=true.`,
  ),
  'cascaded-store-without-url': defineProblemKind(
    400,
    'The store of a remote map server has no capabilitiesURL.',
    (d: { service: string }) =>
      `The store has no capabilitiesURL. Set it to the URL of the capabilities of a ${d.service}.`,
  ),
  'cascaded-store-invalid': defineProblemKind(
    400,
    'A connection field of the store of a remote map server is invalid.',
    (d: { name: string; reason: string }) => `The field ${d.name} of the store is invalid: ${d.reason}.`,
  ),
  'cascaded-layer-unknown': defineProblemKind(
    404,
    'No published layer of a remote map server has that name.',
    (d: ResourceLocation & { service: string }) => `No such ${d.service} layer: ${formatResourceLocation(d)}.`,
  ),
  'cascaded-layer-exists': defineProblemKind(
    409,
    'The workspace already has a layer of a remote map server with that name.',
    (d: { name: string; workspace: string }) =>
      `A layer of a remote server named '${d.name}' already exists in the workspace '${d.workspace}'.`,
  ),
  'cascaded-layer-in-use': defineProblemKind(
    403,
    'A layer uses the resource of a remote map server, and recurse=true was not set.',
    (d: { name: string; blockers: readonly string[] }) =>
      `'${d.name}' is used by ${d.blockers.join(', ')}. Delete them first, or add recurse=true.`,
  ),
  'cascaded-layer-without-store': defineProblemKind(
    400,
    'Neither the document nor the path names the store of the layer.',
    () =>
      'The document does not name the store of the layer. Name it in store, or send the document to the layers of the store.',
  ),
  'remote-layer-unknown': defineProblemKind(
    400,
    'The remote map server has no layer of that name.',
    (d: { name: string; store: string; known: string }) =>
      `The remote server of the store '${d.store}' has no layer named '${d.name}'. It has ${d.known}.`,
  ),
} as const;
