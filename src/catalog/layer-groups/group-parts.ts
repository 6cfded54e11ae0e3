/** Resolves and checks the layers, groups and styles that a client names for a layer group. */
import { problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import { type Workspace, workspaceKind } from '../../records/workspace.ts';
import type { Permissions } from '../../security/access-rules/access.ts';
import type { Layer } from '../kinds/layer.ts';
import {
  type GroupPart,
  type LayerGroup,
  layerGroupKind,
  listAllParts,
  listGroupStyleReferences,
} from '../kinds/layer-group.ts';
import { type Style, type StyleReference, styleKind } from '../kinds/style.ts';
import { findLayerIn, locateLayer } from '../layers/layers.ts';
import type { StyleChoice } from '../layers/named-style.ts';
import { toStyleReference } from '../layers/style-references.ts';
import { findGroupIn, isVisible } from './layer-groups.ts';

/** A layer or group as a client names it: unqualified, or as `workspace:name`. */
export interface PartChoice {
  /** Null for a layer, or a group if no such layer exists. */
  readonly of: GroupPart['of'] | null;
  readonly name: string;
}

/** A resolved layer or group. */
export interface FoundPart {
  readonly record: Layer | LayerGroup;
  readonly workspace: Workspace | null;
}

/** The group to change: its workspace, the caller, and its current parts. */
export interface GroupContext {
  /** Null for a global group. */
  readonly home: Workspace | null;
  readonly permissions: Permissions;
  readonly former: LayerGroup | null;
}

const kindNames = { layer: 'layer', layerGroup: 'layer group' } as const;

export async function resolvePart(
  reader: CatalogReader,
  context: GroupContext,
  choice: PartChoice,
  field: string,
): Promise<FoundPart> {
  const { home, permissions } = context;
  const candidates = choice.of === 'layerGroup' ? [] : [await findNamedLayer(reader, home, choice.name)];
  if (choice.of !== 'layer') {
    candidates.push(await findNamedGroup(reader, home, choice.name));
  }
  const found = candidates.find(
    (each) => each !== undefined && isVisible(permissions, each.workspace, each.record.name),
  );
  const name = formatPrintableName(choice.name);
  if (found === undefined) {
    const what = choice.of === null ? 'layer or layer group' : kindNames[choice.of];
    throw problem('layer-group-part-unknown', { what, name, field });
  }
  if (home !== null && found.workspace?.id !== home.id) {
    const what = kindNames[found.record.kind];
    throw problem('layer-group-part-elsewhere', { what, name, workspace: home.name, field });
  }
  return found;
}

/** An unqualified name refers to the group's workspace; in a global group it is resolved like a layer name. */
async function findNamedLayer(
  reader: CatalogReader,
  home: Workspace | null,
  name: string,
): Promise<FoundPart | undefined> {
  const placed =
    home === null || name.includes(':') ? await locateLayer(reader, { name }) : await findLayerIn(reader, home, name);
  return placed && { record: placed.layer, workspace: placed.workspace };
}

async function findNamedGroup(
  reader: CatalogReader,
  home: Workspace | null,
  name: string,
): Promise<FoundPart | undefined> {
  const colon = name.indexOf(':');
  const workspace = colon < 0 ? home : await reader.find(workspaceKind, null, name.slice(0, colon));
  const placed =
    workspace === undefined
      ? undefined
      : ((await findGroupIn(reader, workspace, name.slice(colon + 1))) ?? (await findGroupIn(reader, null, name)));
  return placed && { record: placed.group, workspace: placed.workspace };
}

/** Rejects a group that would contain itself, and names the path. */
export async function checkNoCycle(
  reader: CatalogReader,
  group: Pick<LayerGroup, 'id' | 'name'>,
  parts: readonly FoundPart[],
): Promise<void> {
  const looked = new Set<string>();
  async function visitParts(record: Layer | LayerGroup, way: readonly string[]): Promise<void> {
    if (record.id === group.id) {
      throw problem('layer-group-cycle', { way: [...way, group.name], field: 'layerGroup.publishables' });
    }
    if (record.kind === 'layer' || looked.has(record.id)) {
      return;
    }
    looked.add(record.id);
    for (const { id } of listAllParts(record).filter(({ of }) => of === 'layerGroup')) {
      const inner = await reader.get(layerGroupKind, id);
      if (inner !== undefined) {
        await visitParts(inner, [...way, record.name]);
      }
    }
  }
  for (const { record } of parts) {
    await visitParts(record, [group.name]);
  }
}

/** Returns the parts with the sent styles; null for the default of every part. */
export async function assignStyles(
  reader: CatalogReader,
  context: GroupContext,
  parts: readonly FoundPart[],
  { styles: sent, field }: { readonly styles: readonly (StyleChoice | null)[] | null; readonly field: string },
): Promise<readonly GroupPart[]> {
  // A list of defaults only is valid for any number of parts.
  const choices = (sent ?? []).every((choice) => choice === null) ? parts.map(() => null) : (sent ?? []);
  if (choices.length !== parts.length) {
    const reason = `the number of styles (${choices.length}) differs from the number of layers and groups (${parts.length}). Use an empty entry for the default style of a layer`;
    throw problem('layer-group-styles', { reason, field });
  }
  const styled: GroupPart[] = [];
  for (const [index, part] of parts.entries()) {
    const style = await resolveGroupPartStyle(reader, context, part, { choice: choices[index] ?? null, field });
    styled.push({ of: part.record.kind, id: part.record.id, style });
  }
  return styled;
}

/** Keeps the style of each part at its new position; repeated parts keep their styles in order. */
export function keepStyles(parts: readonly FoundPart[], former: readonly GroupPart[]): readonly GroupPart[] {
  const left = [...former];
  return parts.map(({ record: { kind: of, id } }) => {
    const index = left.findIndex((part) => part.id === id);
    const [before] = index < 0 ? [] : left.splice(index, 1);
    return { of, id, style: before?.style ?? null };
  });
}

/**
 * Resolves a style name. An unqualified name matches first a global style that the group already has, so that a group
 * can be sent back unchanged; then a style of the group's workspace; then a global one; then, for a global group, one
 * of the layer's workspace.
 */
export async function resolveGroupPartStyle(
  reader: CatalogReader,
  { home, former }: GroupContext,
  part: FoundPart,
  { choice, field }: { readonly choice: StyleChoice | null; readonly field: string },
): Promise<StyleReference | null> {
  if (choice === null) {
    return null;
  }
  if (part.record.kind === 'layerGroup') {
    return checkOwnStyle(part.record, choice.name, field);
  }
  const [name = '', owner] = splitStyleName(choice);
  const style =
    owner === undefined
      ? await findUnqualifiedStyle(reader, { home, former }, part, name)
      : await reader.find(
          styleKind,
          owner === '' ? null : ((await findWorkspaceByName(reader, owner))?.id ?? ''),
          name,
        );
  if (style === undefined) {
    const workspace = owner === undefined || owner === '' ? null : formatPrintableName(owner);
    throw problem('style-unknown', { name: formatPrintableName(name), workspace, field });
  }
  if (home !== null && style.parent !== null && style.parent !== home.id) {
    const shown = `${formatPrintableName(owner ?? '')}:${style.name}`;
    throw problem('layer-group-part-elsewhere', { what: 'style', name: shown, workspace: home.name, field });
  }
  return toStyleReference(style);
}

/** A group can only be drawn with one of its own styles. */
function checkOwnStyle({ name: groupName, groupStyles }: LayerGroup, name: string, field: string): string {
  if (!groupStyles.some((style) => style.name === name)) {
    const reason = `the layer group '${groupName}' has no style '${formatPrintableName(name)}' in its layerGroupStyles. Use an empty entry for its default style`;
    throw problem('layer-group-styles', { reason, field });
  }
  return name;
}

function splitStyleName({ name, workspace }: StyleChoice): readonly [name: string, owner: string | undefined] {
  const colon = name.indexOf(':');
  return colon < 0 ? [name, workspace] : [name.slice(colon + 1), workspace ?? name.slice(0, colon)];
}

function findWorkspaceByName(reader: CatalogReader, name: string): Promise<Workspace | undefined> {
  return reader.find(workspaceKind, null, name);
}

async function findUnqualifiedStyle(
  reader: CatalogReader,
  { home, former }: Pick<GroupContext, 'home' | 'former'>,
  part: FoundPart,
  name: string,
): Promise<Style | undefined> {
  const global = await reader.find(styleKind, null, name);
  const present = former === null ? [] : listGroupStyleReferences(former);
  if (global !== undefined && (home === null || present.includes(toStyleReference(global)))) {
    return global;
  }
  const near = home ?? part.workspace;
  return (near === null ? undefined : await reader.find(styleKind, near.id, name)) ?? global;
}
