/** Sample data: a GeoPackage that belongs to the console, published with styles and a map as one change. */
import sample from 'sample-geopackage';
import { writeRest } from '../../rest/cache.ts';
import { callRest, readAsset, rest } from '../../rest/client.ts';
import { RestProblem } from '../../rest/problems.ts';

export const SAMPLE_WORKSPACE = 'sample';
/** The layer that is shown after the publication. */
export const SAMPLE_LAYER = 'countries';

const STORE = 'world';
const NOT_FOUND = 404;
const workspace = rest`/workspaces/${SAMPLE_WORKSPACE}`;
const store = `${workspace}/datastores/${STORE}`;

/** The layers with their styles in CSS, the lowest first. */
const layers: Readonly<Record<string, { readonly title: string; readonly css: string }>> = {
  graticule: {
    title: 'Graticule',
    css: `* {
  stroke: #9fb3c8;
  stroke-width: 0.5;
  stroke-dasharray: 4 3;
}
`,
  },
  countries: {
    title: 'Countries',
    css: `* {
  fill: #dbe7f3;
  stroke: #5b83ad;
  stroke-width: 0.6;
}

[@scale < 80000000] {
  label: [name];
  font-family: 'DejaVu Sans';
  font-size: 11;
  font-fill: #24405c;
  halo-radius: 1.2;
  halo-color: #ffffff;
}
`,
  },
  cities: {
    title: 'Cities',
    css: `* {
  mark: symbol(circle);
  mark-size: 8;
  :mark {
    fill: #c2410c;
    stroke: #ffffff;
  }
}

[visited = true] {
  mark: symbol(star);
  mark-size: 14;
  :mark {
    fill: #15803d;
    stroke: #ffffff;
  }
}

[@scale < 60000000] {
  label: [name];
  label-anchor: 0 0.5;
  label-offset: 7 0;
  font-family: 'DejaVu Sans';
  font-size: 11;
  font-fill: #3b2414;
  halo-radius: 1.5;
  halo-color: #ffffff;
}
`,
  },
};

/**
 * Publishes the sample; returns the number of the change. A sample that exists keeps its features, which may have been
 * edited, and what is missing of the rest is restored.
 */
export async function publishSample(signal: AbortSignal): Promise<number | null> {
  const isNew = !(await hasStore(signal));
  if (isNew) {
    const body = await readAsset(sample.name, signal);
    const request = { body, contentType: 'application/octet-stream', signal };
    await callRest(rest`/configuration/files/${sample.sha256}`, { method: 'PUT', ...request });
  }
  const body = createDocument(isNew);
  const { change } = await writeRest('/configuration/apply', { method: 'POST', body, signal });
  return change;
}

async function hasStore(signal: AbortSignal): Promise<boolean> {
  try {
    await callRest(store, { signal });
    return true;
  } catch (error) {
    if (error instanceof RestProblem && error.status === NOT_FOUND) return false;
    throw error;
  }
}

function createDocument(isNew: boolean): object {
  const file = { path: `${STORE}.gpkg`, bytes: sample.bytes, sha256: sample.sha256 };
  const database = `file:data/${SAMPLE_WORKSPACE}/${STORE}/1/${file.path}`;
  const connectionParameters = { dbtype: 'geopkg', database };
  const names = Object.keys(layers);
  const publishables = names.map((name) => ({ '@type': 'layer', name: `${SAMPLE_WORKSPACE}:${name}` }));
  const resources = [
    { kind: 'workspace', path: workspace, fields: {} },
    ...(isNew ? [{ kind: 'dataStore', path: store, fields: { connectionParameters, files: [file] } }] : []),
    ...Object.entries(layers).flatMap(([name, { title, css }]) => [
      {
        kind: 'style',
        path: `${workspace}/styles/${name}`,
        fields: { content: css, format: 'css', filename: `${name}.css` },
      },
      { kind: 'featureType', path: `${store}/featuretypes/${name}`, fields: { title } },
      {
        kind: 'layer',
        path: `${workspace}/layers/${name}`,
        fields: { defaultStyle: { name: `${SAMPLE_WORKSPACE}:${name}`, workspace: SAMPLE_WORKSPACE } },
      },
    ]),
    {
      kind: 'layerGroup',
      path: `${workspace}/layergroups/${STORE}`,
      fields: { mode: 'SINGLE', title: 'World', publishables: { published: publishables } },
    },
  ];
  return { format: 'graticule-configuration/1', message: 'publish the sample data', resources };
}
