/** Writes layer groups with their members and styles. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import { isList, isObject, type Resource, readText } from '../archive/exported-configuration.ts';
import {
  createId,
  createReference,
  findWorkspacePath,
  getName,
  type Leaving,
  omitFields,
  workspaceReference,
} from './leaving.ts';
import { findPublishedPath } from './resources.ts';
import { createStyleReference } from './style-references.ts';

export function writeLayerGroups(leaving: Leaving): void {
  for (const group of leaving.list('layerGroup')) writeLayerGroup(leaving, group);
}

function writeLayerGroup(leaving: Leaving, group: Resource): void {
  const workspacePath = findWorkspacePath(group.path);
  const home = workspacePath === undefined ? '' : leaving.folders.get(workspacePath);
  if (home === undefined) {
    leaving.reportMissing(group, 'workspace');
    return;
  }
  const folder = home === '' ? 'layergroups' : `${home}/layergroups`;
  const file = `${folder}/${leaving.chooseName(folder, getName(group), group.path)}.xml`;
  const { publishables, styles, rootLayer, rootLayerStyle, layerGroupStyles } = group.fields;
  const rootName = isObject(rootLayer) ? readText(rootLayer['name']) : undefined;
  leaving.addDocument(group, file, 'layerGroup', {
    id: createId('LayerGroupInfoImpl', group.path),
    name: getName(group),
    ...(workspacePath === undefined ? {} : { workspace: workspaceReference(workspacePath) }),
    ...omitFields(group.fields, 'publishables', 'styles', 'rootLayer', 'rootLayerStyle', 'layerGroupStyles'),
    ...writeParts(leaving, group, { published: publishables ?? null, styles: styles ?? null }, 'publishables'),
    ...(rootName === undefined
      ? {}
      : {
          rootLayer: createReference('LayerInfoImpl', findPublishedPath('layer', rootName)),
          rootLayerStyle: createStyleReference(leaving, group, rootLayerStyle ?? null),
        }),
    ...writeGroupStyles(leaving, group, layerGroupStyles ?? null),
  });
}

interface Parts {
  readonly published: Json;
  readonly styles: Json;
}

/** Members and the styles at the same positions. */
function writeParts(
  leaving: Leaving,
  group: Resource,
  parts: Parts,
  memberName: 'publishables' | 'layers',
): JsonObject {
  const members = listMembers(parts.published, 'published').filter(isObject);
  const styles = listMembers(parts.styles, 'style');
  return {
    [memberName]: { published: members.map(createMember) },
    styles: {
      style: members.map((member, index) => {
        const style = styles[index] ?? '';
        // The styles of a group are names only.
        const isGroup = member['@type'] === 'layerGroup';
        return isGroup ? copyName(style) : createStyleReference(leaving, group, style);
      }),
    },
  };
}

function createMember(member: JsonObject): JsonObject {
  const type = member['@type'] === 'layerGroup' ? 'layerGroup' : 'layer';
  const path = findPublishedPath(type, readText(member['name']) ?? '');
  return { '@type': type, ...createReference(type === 'layer' ? 'LayerInfoImpl' : 'LayerGroupInfoImpl', path) };
}

function copyName(style: Json): Json {
  const name = isObject(style) ? readText(style['name']) : readText(style);
  return name === undefined ? '' : { name };
}

function writeGroupStyles(leaving: Leaving, group: Resource, given: Json): JsonObject {
  const styles = listMembers(given, 'LayerGroupStyle').filter(isObject);
  if (styles.length === 0) return {};
  return {
    layerGroupStyles: {
      LayerGroupStyle: styles.map((style) => {
        const { name = null, layers = null, styles: ofLayers = null } = style;
        return {
          id: createId('LayerGroupStyle', `${group.path}#${String(name)}`),
          name: { name },
          ...omitFields(style, 'name', 'layers', 'styles'),
          ...writeParts(leaving, group, { published: layers, styles: ofLayers }, 'layers'),
        };
      }),
    },
  };
}

/** The items of a list inside an object; one item need not be in a list. */
function listMembers(value: Json, name: string): readonly Json[] {
  const inner = isObject(value) ? value[name] : undefined;
  if (inner === undefined) return [];
  return isList(inner) ? inner : [inner];
}
