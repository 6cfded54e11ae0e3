/** What can go wrong with layer groups, and with layers because of them. */
import { enumerate } from '../../../text/wording.ts';
import { defineProblemKind } from '../kind.ts';

export const layerGroupProblems = {
  'layer-group-unknown': defineProblemKind(
    404,
    'There is no layer group of that name, in the workspace or among the global ones.',
    (d: { name: string; workspace: string | null }) =>
      `No such layer group: '${d.name}'${formatWorkspaceScope(d.workspace)}.`,
  ),
  'layer-group-exists': defineProblemKind(
    409,
    'A layer group of that name exists already in that place; layers and groups of a workspace share their names.',
    (d: { name: string; workspace: string | null }) =>
      `A layer group named '${d.name}' already exists${formatWorkspaceScope(d.workspace)}.`,
  ),
  'layer-group-named-as-layer': defineProblemKind(
    409,
    'A layer group would be called as a layer of its workspace is.',
    (d: { name: string; workspace: string }) =>
      `A layer named '${d.name}' already exists in the workspace '${d.workspace}'; layers and layer groups share their names there.`,
  ),
  'layer-group-empty': defineProblemKind(
    400,
    'A layer group would hold nothing.',
    () =>
      "A layer group cannot be empty: name at least one layer or layer group in 'publishables', each a 'published' with its name.",
  ),
  'layer-group-part-unknown': defineProblemKind(
    400,
    'A layer group names a layer or group that is not there.',
    (d: { what: string; name: string }) => `There is no ${d.what} named '${d.name}' for this group to hold.`,
  ),
  'layer-group-part-elsewhere': defineProblemKind(
    400,
    'A layer group of a workspace names a layer, group or style of another one.',
    (d: { what: string; name: string; workspace: string }) =>
      `The ${d.what} '${d.name}' is not of the workspace '${d.workspace}': a layer group of a workspace holds what is in it and nothing else. A global layer group may hold anything.`,
  ),
  'layer-group-cycle': defineProblemKind(
    400,
    'A layer group would hold itself, directly or through others.',
    (d: { way: readonly string[] }) =>
      `A layer group cannot hold itself: ${d.way.map((name) => `'${name}'`).join(' holds ')}.`,
  ),
  'layer-group-styles': defineProblemKind(
    400,
    'The styles of a layer group do not fit what it holds.',
    (d: { reason: string }) => `The styles do not fit the group: ${d.reason}.`,
  ),
  'layer-group-root': defineProblemKind(
    400,
    'A layer group of the mode EO lacks its root layer or the style of that, or one of another mode has them.',
    (d: { mode: string }) =>
      d.mode === 'EO'
        ? 'A layer group of the mode EO needs both rootLayer and rootLayerStyle: the layer that is shown for it, and its style.'
        : `A layer group of the mode ${d.mode} has neither rootLayer nor rootLayerStyle; those are for the mode EO.`,
  ),
  'layer-group-in-use': defineProblemKind(
    403,
    'Other layer groups hold the layer group and recurse was not asked for.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The layer group '${d.name}' is used by ${enumerate(d.blockers, d.total)}. Take it out of them first, or delete it with recurse=true.`,
  ),
  'layer-group-style-in-use': defineProblemKind(
    403,
    'Other layer groups draw the layer group in a style that it would have no more.',
    (d: { style: string; name: string; blockers: readonly string[]; total: number }) =>
      `The style '${d.style}' of the layer group '${d.name}' is used by ${enumerate(d.blockers, d.total)}. Choose another there first.`,
  ),
  'layer-group-global': defineProblemKind(
    403,
    'A global layer group would be changed by somebody who is no administrator.',
    () =>
      'Global layer groups can be changed with full administrator rights only; those of a workspace by who administers it.',
  ),
  'layer-group-name-fixed': defineProblemKind(
    403,
    'The name of a layer group cannot be changed here.',
    (d: { name: string }) => `The name of the layer group '${d.name}' cannot be changed.`,
  ),
  'layer-in-use': defineProblemKind(
    403,
    'Layer groups hold the layer and recurse was not asked for, or it would go where they cannot follow.',
    (d: { name: string; blockers: readonly string[]; total: number }) =>
      `The layer '${d.name}' is used by ${enumerate(d.blockers, d.total)}. Take it out of them first, or delete it with recurse=true.`,
  ),
} as const;

function formatWorkspaceScope(workspace: string | null): string {
  return workspace === null ? '' : ` in the workspace '${workspace}'`;
}
