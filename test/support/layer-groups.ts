/** Layers for groups, and group documents. */
import type { TestServer } from './test-server.ts';
import { polygonShapefile, putZip, readResource, zipOf } from './vector-samples.ts';

/** A workspace with a store `s` that holds a polygon layer of each name. */
export async function publishLayers(server: TestServer, workspace: string, names: readonly string[]): Promise<void> {
  await server.post('/workspaces', `<workspace><name>${workspace}</name></workspace>`);
  const shapefiles = Object.fromEntries(names.map((name) => [name, polygonShapefile()]));
  await putZip(server, `/workspaces/${workspace}/datastores/s/file.shp?configure=all`, zipOf(shapefiles));
}

/** A group of these layers and groups (prefixed with `group `), as JSON. */
export function groupOf(name: string, parts: readonly string[], more: object = {}): string {
  const published = parts.map((part) =>
    part.startsWith('group ') ? { '@type': 'layerGroup', name: part.slice(6) } : { '@type': 'layer', name: part },
  );
  return JSON.stringify({ layerGroup: { name, publishables: { published }, ...more } });
}

/** The members of a group, by name. */
export async function readGroupParts(server: TestServer, path: string): Promise<readonly string[]> {
  const group = (await readResource(server, path)) as { publishables: { published: readonly { name: string }[] } };
  return group.publishables.published.map(({ name }) => name);
}

/** The styles of a group in order, with an empty string for a default style. */
export async function readGroupStyles(server: TestServer, path: string): Promise<readonly string[]> {
  const group = (await readResource(server, path)) as { styles: { style: readonly (string | { name: string })[] } };
  return group.styles.style.map((style) => (typeof style === 'string' ? style : style.name));
}
