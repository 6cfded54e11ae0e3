/** Problems with layer groups. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const layerGroupProblems = {
  'layer-group-unknown': defineProblemKind(
    404,
    'No layer group of that name exists in the workspace, or among the global ones.',
    (d: { name: string; workspace: string | null }) =>
      `No such layer group: '${d.name}'${formatWorkspaceScope(d.workspace)}.`,
  ),
  'layer-group-exists': defineProblemKind(
    409,
    'A layer group of that name already exists there; layers and layer groups of a workspace share one set of names.',
    (d: { name: string; workspace: string | null }) =>
      `A layer group named '${d.name}' already exists${formatWorkspaceScope(d.workspace)}.`,
  ),
  'layer-group-named-as-layer': defineProblemKind(
    409,
    'The workspace already has a layer with the name of the layer group.',
    (d: { name: string; workspace: string }) =>
      `A layer named '${d.name}' already exists in the workspace '${d.workspace}'. Layers and layer groups of a workspace share one set of names.`,
  ),
  'layer-group-empty': defineProblemKind(
    400,
    'The layer group has no layers and no layer groups.',
    () =>
      "A layer group cannot be empty. Name at least one layer or layer group in 'publishables', each as a 'published' with its name.",
  ),
  'layer-group-part-unknown': defineProblemKind(
    400,
    'A layer group names a layer or layer group that does not exist.',
    (d: { what: string; name: string }) => `The layer group names a ${d.what} that does not exist: '${d.name}'.`,
  ),
  'layer-group-part-elsewhere': defineProblemKind(
    400,
    'A layer group of a workspace names a layer, layer group or style of another workspace.',
    (d: { what: string; name: string; workspace: string }) =>
      `The ${d.what} '${d.name}' is not in the workspace '${d.workspace}'. A layer group of a workspace can contain resources of that workspace only; a global layer group can contain any.`,
  ),
  'layer-group-cycle': defineProblemKind(
    400,
    'A layer group would contain itself, directly or through other layer groups.',
    (d: { way: readonly string[] }) =>
      `A layer group cannot contain itself: ${d.way.map((name) => `'${name}'`).join(' contains ')}.`,
  ),
  'layer-group-styles': defineProblemKind(
    400,
    'The styles of a layer group do not match its layers.',
    (d: { reason: string }) => `The styles of the layer group are invalid: ${d.reason}.`,
  ),
  'layer-group-root': defineProblemKind(
    400,
    'A layer group of the mode EO has no root layer or root layer style, or one of another mode has them.',
    (d: { mode: string }) =>
      d.mode === 'EO'
        ? 'A layer group of the mode EO requires rootLayer and rootLayerStyle.'
        : `A layer group of the mode ${d.mode} cannot have rootLayer or rootLayerStyle. They are for the mode EO only.`,
  ),
  'layer-group-in-use': defineProblemKind(
    403,
    'Other layer groups contain the layer group, and recurse=true was not set.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The layer group '${d.name}' is used by ${enumerate(d.blockers, d.total)}. Remove it from them first, or delete it with recurse=true.`,
  ),
  'layer-group-style-in-use': defineProblemKind(
    403,
    'Other layer groups use a style of the layer group that the change would remove.',
    (d: { style: string; name: string; blockers: readonly string[]; total: number }) =>
      `The style '${d.style}' of the layer group '${d.name}' is used by ${enumerate(d.blockers, d.total)}. Select another style there first.`,
  ),
  'layer-group-global': defineProblemKind(
    403,
    'Only administrators can change global layer groups.',
    () =>
      'Administrator rights are required to change global layer groups. Administrators of a workspace can change the layer groups of that workspace.',
  ),
  'layer-group-name-fixed': defineProblemKind(
    403,
    'This request cannot rename a layer group.',
    (d: { name: string }) => `The name of the layer group '${d.name}' cannot be changed.`,
  ),
  'layer-in-use': defineProblemKind(
    403,
    'Layer groups contain the layer and recurse=true was not set, or the change would move the layer out of their reach.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The layer '${d.name}' is used by ${enumerate(d.blockers, d.total)}. Remove it from them first, or delete it with recurse=true.`,
  ),
} as const;

function formatWorkspaceScope(workspace: string | null): string {
  return workspace === null ? '' : ` in the workspace '${workspace}'`;
}
