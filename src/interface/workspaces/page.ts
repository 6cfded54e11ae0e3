/** The page of a workspace: its entry and the first of its contents. */
import { cascadedStoreKinds } from '../../catalog/kinds/cascaded-store.ts';
import { coverageStoreKind } from '../../catalog/kinds/coverage-store.ts';
import { dataStoreKind } from '../../catalog/kinds/data-store.ts';
import type { WorkspaceContents } from '../../catalog/workspaces/workspace-contents.ts';
import { type Html, html } from '../../http/serialization/html-page.ts';
import type { OutputNode, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeNodeHtml } from '../../http/serialization/write-html.ts';
import { buildShortList } from '../common/short-list.ts';
import { getLayerGroupPath } from '../layer-groups/paths.ts';
import { getStorePath } from '../resources/representation.ts';
import { getStylePath } from '../styles/representation.ts';

/** Kinds without a text for an empty list are shown only if there are such stores. */
const storeLists = [
  {
    ...{ kind: dataStoreKind.kind, collection: dataStoreKind.collection, title: 'Data stores' },
    empty: 'No data stores yet. Upload a shapefile or a GeoPackage, or connect a database.',
  },
  {
    ...{ kind: coverageStoreKind.kind, collection: coverageStoreKind.collection, title: 'Coverage stores' },
    empty: 'No coverage stores yet. Upload a GeoTIFF or a mosaic.',
  },
  ...Object.entries(cascadedStoreKinds).map(([service, { kind, collection }]) => ({
    ...{ kind, collection, title: `${service} stores`, empty: undefined },
  })),
];

export function buildWorkspacePage(entry: OutputNode, contents: WorkspaceContents, context: WriteContext): Html {
  const { workspace, layers, layerGroups, styles, stores } = contents;
  const { name } = workspace;
  const lists = [
    {
      title: 'Layers',
      items: layers.map((layer) => ({ name: layer, path: ['workspaces', name, 'layers', layer] })),
      all: ['workspaces', name, 'layers'],
      empty: 'No layers yet. Publish data to create one.',
    },
    {
      title: 'Layer groups',
      items: layerGroups.map((group) => ({ name: group, path: getLayerGroupPath(group, name) })),
      all: ['workspaces', name, 'layergroups'],
      empty: 'No layer groups yet. Create one to show several layers together.',
    },
    {
      title: 'Styles',
      items: styles.map((style) => ({ name: style, path: getStylePath(style, name) })),
      all: ['workspaces', name, 'styles'],
      empty: 'No styles of its own. Global styles are available here as well.',
    },
    ...storeLists.flatMap(({ kind, collection, title, empty }) => {
      const items = stores
        .filter((store) => store.kind === kind)
        .map((store) => ({ name: store.name, path: getStorePath({ store, workspace }) }));
      const isShown = items.length > 0 || empty !== undefined;
      return isShown ? [{ title, items, all: ['workspaces', name, collection], empty: empty ?? '' }] : [];
    }),
  ];
  return html`${lists.map((list) => buildShortList(list, context))}
<h2>Settings</h2>
${writeNodeHtml(entry, context)}`;
}
