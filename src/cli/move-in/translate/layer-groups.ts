/** Translates layer groups with their members and styles. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { createPath } from '../archive/archive.ts';
import { findText, readReference } from '../read/values.ts';
import type { Subject } from '../report/report.ts';
import { type Move, readId, readTargetName, reportDuplicateId } from './move.ts';
import { groupReaders, readFields } from './resource-fields.ts';
import { formatTarget, type SourceLayer, type SourceWorkspace } from './source-index.ts';
import { findStyleReference } from './style-references.ts';

interface GroupDocument {
  readonly root: XmlElement;
  readonly id: string | undefined;
  readonly subject: Subject & { readonly path: string };
  readonly group: SourceLayer;
}

/** Groups can contain each other, so all are read before the first is translated. */
export async function translateGroups(move: Move): Promise<void> {
  const documents = [
    ...(await readFolder(move, 'layergroups', null)),
    ...(await readEach(move.index.workspaces, (workspace) =>
      readFolder(move, `${workspace.folder}/layergroups`, workspace),
    )),
  ];
  const settled = new Set<GroupDocument>();
  for (const document of orderByMembers(documents)) {
    settled.add(document);
    translateGroup(move, document);
  }
  for (const document of documents) {
    if (settled.has(document)) continue;
    const remedy = 'Remove the cycle on the old server.';
    move.report.add('group-empty', document.subject, 'The group contains itself, or a group that does.', remedy);
  }
}

/** Groups after their members; without those in a cycle, and those that contain them. */
function* orderByMembers(documents: readonly GroupDocument[]): Generator<GroupDocument> {
  // Documents of a REST interface have no ids, and refer to names.
  const byId = new Map(documents.flatMap((document) => (document.id === undefined ? [] : [[document.id, document]])));
  const byName = new Map(documents.map((document) => [formatSourceName(document.group), document]));
  const waiting = new Map<GroupDocument, number>();
  const containers = new Map<GroupDocument, GroupDocument[]>();
  for (const document of documents) {
    const members = listMemberGroups(document, byId, byName);
    waiting.set(document, members.size);
    for (const member of members) {
      const known = containers.get(member);
      if (known === undefined) containers.set(member, [document]);
      else known.push(document);
    }
  }
  const ready = documents.filter((document) => waiting.get(document) === 0);
  for (const document of ready) {
    yield document;
    for (const container of containers.get(document) ?? []) {
      const left = (waiting.get(container) ?? 0) - 1;
      waiting.set(container, left);
      if (left === 0) ready.push(container);
    }
  }
}

function listMemberGroups(
  { root, group: { workspace } }: GroupDocument,
  byId: ReadonlyMap<string, GroupDocument>,
  byName: ReadonlyMap<string, GroupDocument>,
): ReadonlySet<GroupDocument> {
  const found = listMembers(root).flatMap(({ type, element }) => {
    const { id, name } = (type === 'layerGroup' ? readReference(element) : undefined) ?? {};
    const text = name ?? id;
    if (text === undefined) return [];
    const inHome = workspace === null ? undefined : byName.get(`${workspace.name}:${text}`);
    return (id === undefined ? undefined : byId.get(id)) ?? inHome ?? byName.get(text) ?? [];
  });
  return new Set(found);
}

function formatSourceName({ name, workspace }: SourceLayer): string {
  return workspace === null ? name : `${workspace.name}:${name}`;
}

async function readEach<T, R>(items: readonly T[], read: (item: T) => Promise<readonly R[]>): Promise<readonly R[]> {
  const found: R[] = [];
  for (const item of items) found.push(...(await read(item)));
  return found;
}

async function readFolder(move: Move, folder: string, home: SourceWorkspace | null): Promise<readonly GroupDocument[]> {
  const found: GroupDocument[] = [];
  for (const file of move.files.listFiles(folder)) {
    if (!file.endsWith('.xml')) continue;
    const source = `${folder}/${file}`;
    const root = await move.documents.read(source, ['layerGroup'], 'layerGroup');
    if (root === undefined) continue;
    const reference = readReference(child(root, 'workspace'));
    const workspace = (reference?.id === undefined ? undefined : move.index.findWorkspace(reference.id)) ?? home;
    const name = findText(root, 'name');
    const plain = { source, kind: 'layerGroup' };
    const target = readTargetName(move, plain, { kind: 'group', name, workspace: workspace?.name ?? null });
    if (name === undefined || target === undefined) continue;
    const path = createPath(...(workspace === null ? [] : ['workspaces', workspace.target]), 'layergroups', target);
    const group: SourceLayer = { type: 'layerGroup', name, target, workspace };
    const document = { root, id: readId(root), subject: { ...plain, path }, group };
    found.push(document);
  }
  return found;
}

interface Member {
  readonly type: 'layer' | 'layerGroup';
  readonly element: XmlElement;
}

/** The members in drawing order; older documents contain layers only. */
function listMembers(root: XmlElement): readonly Member[] {
  const publishables = child(root, 'publishables');
  if (publishables !== undefined) {
    return listChildren(publishables, 'published').map((element) => ({
      type: attribute(element, 'type') === 'layerGroup' ? 'layerGroup' : 'layer',
      element,
    }));
  }
  const layers = child(root, 'layers');
  const groups = layers === undefined ? [] : listChildElements(layers);
  return groups.map((element) => ({ type: element.local === 'layerGroup' ? 'layerGroup' : 'layer', element }));
}

function translateGroup(move: Move, { root, id, subject, group }: GroupDocument): void {
  const fields = readFields(root, groupReaders, move.report, subject);
  const styles = child(root, 'styles');
  const parts = translateParts(move, { members: listMembers(root), styles }, group, subject);
  const rootLayer = findMember(move, { type: 'layer', element: child(root, 'rootLayer') }, group);
  if (parts.published.length === 0 && rootLayer === undefined) {
    move.report.add('group-empty', subject, 'None of the members of the group is imported.');
    return;
  }
  fields.set('publishables', { published: parts.published });
  if (parts.styles.some((style) => style !== '')) fields.set('styles', { style: parts.styles });
  if (rootLayer !== undefined) {
    fields.set('rootLayer', { name: formatTarget(rootLayer) });
    const style = findGroupStyle(move, child(root, 'rootLayerStyle'), { type: 'layer', group, subject });
    fields.set('rootLayerStyle', style === '' ? replaceRootStyle(move, subject) : style);
  }
  const groupStyles = translateGroupStyles(move, root, group, subject);
  if (groupStyles.length > 0) fields.set('layerGroupStyles', { LayerGroupStyle: groupStyles });
  if (!move.archive.add('layerGroup', subject.path, Object.fromEntries(fields), subject)) return;
  reportDuplicateId(move, subject, move.index.addLayer(group, id));
}

/** A root layer needs a style. */
function replaceRootStyle({ report }: Move, subject: Subject): Json {
  report.add('style-replaced', subject, "The root layer of the group gets the built-in style 'generic'.");
  return { name: 'generic' };
}

/** Members and their styles, without those that are not imported. */
function translateParts(
  move: Move,
  { members, styles }: { readonly members: readonly Member[]; readonly styles: XmlElement | undefined },
  group: SourceLayer,
  subject: Subject,
): { readonly published: readonly Json[]; readonly styles: readonly Json[] } {
  const published: Json[] = [];
  const partStyles: Json[] = [];
  const styleElements = styles === undefined ? [] : listChildElements(styles);
  for (const [index, member] of members.entries()) {
    const found = findMember(move, member, group);
    if (found === undefined) {
      const { id, name } = readReference(member.element) ?? {};
      const named = name ?? id;
      const message =
        named === undefined
          ? `The member at position ${index + 1} names no layer.`
          : `The member '${named}' at position ${index + 1} is not imported.`;
      move.report.add('group-member-skipped', subject, message);
      continue;
    }
    published.push({ '@type': found.type, name: formatTarget(found) });
    partStyles.push(findGroupStyle(move, styleElements[index], { type: found.type, group, subject }));
  }
  return { published, styles: partStyles };
}

function findMember(
  { index }: Move,
  { type, element }: { readonly type: Member['type']; readonly element: XmlElement | undefined },
  { workspace }: SourceLayer,
): SourceLayer | undefined {
  const reference = readReference(element);
  return reference && index.findLayer(reference, type, workspace);
}

/** An empty text for the default style. */
function findGroupStyle(
  { index, report }: Move,
  element: XmlElement | undefined,
  { type, group, subject }: { readonly type: Member['type']; readonly group: SourceLayer; readonly subject: Subject },
): Json {
  const reference = readReference(element);
  if (reference === undefined) return '';
  const text = reference.name ?? reference.id ?? '';
  // The styles of a group have no ids.
  if (type === 'layerGroup') return { name: text };
  const found = findStyleReference(index, reference, group.workspace);
  if ('reference' in found) return found.reference;
  report.add('style-dangling', subject, `The style '${text}' of the group is not imported; the default style is used.`);
  return '';
}

function translateGroupStyles(move: Move, root: XmlElement, group: SourceLayer, subject: Subject): readonly Json[] {
  const element = child(root, 'layerGroupStyles');
  const styles = element === undefined ? [] : listChildElements(element);
  return styles.flatMap((style) => {
    const nameElement = child(style, 'name');
    const name = readReference(nameElement)?.name;
    const layers = child(style, 'layers');
    const members: readonly Member[] =
      layers === undefined
        ? []
        : listChildElements(layers).map((each) => ({
            type: attribute(each, 'type') === 'layerGroup' ? 'layerGroup' : 'layer',
            element: each,
          }));
    const parts = translateParts(move, { members, styles: child(style, 'styles') }, group, subject);
    if (name === undefined || parts.published.length === 0) return [];
    const texts = ['title', 'abstractTxt'].flatMap((field) => {
      const text = findText(style, field);
      return text === undefined ? [] : [[field, text] as const];
    });
    return [
      {
        name,
        ...Object.fromEntries(texts),
        layers: { published: parts.published },
        styles: { style: parts.styles },
      },
    ];
  });
}
