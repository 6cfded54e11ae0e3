/** Sample data: the countries of the world from the outlines that belong to the console, uploaded as users upload files. */
import { feature } from 'topojson-client';
import countries from 'world-atlas/countries-110m.json';
import { listWorkspaces } from '../../parts/combobox/workspace-field.tsx';
import { callRest, rest } from '../../rest/client.ts';
import { uploadFile } from '../../rest/upload.ts';

export const SAMPLE_WORKSPACE = 'sample';
const STORE = 'countries';
const STYLE = 'countries';

const css = `* {
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
`;

export interface PublishedSample {
  readonly layer: string;
  readonly change: number | null;
}

/** Publishes the sample again if it is incomplete. */
export async function publishSample(signal: AbortSignal): Promise<PublishedSample> {
  await createParts();
  const path = rest`/workspaces/${SAMPLE_WORKSPACE}/datastores/${STORE}/file.geojson`;
  const { body } = await uploadFile<UploadedSample>(`${path}?target=gpkg&update=overwrite&filename=${STORE}.geojson`, {
    body: new Blob([JSON.stringify(createCollection())]),
    contentType: 'application/geo+json',
    onProgress: () => undefined,
    signal,
  });
  const layer = body.upload.featureTypes.featureType[0]?.name ?? STORE;
  const { change } = await callRest(rest`/workspaces/${SAMPLE_WORKSPACE}/layers/${layer}`, {
    method: 'PUT',
    body: { layer: { defaultStyle: { name: STYLE, workspace: SAMPLE_WORKSPACE } } },
  });
  return { layer, change };
}

interface UploadedSample {
  readonly upload: { readonly featureTypes: { readonly featureType: readonly { readonly name: string }[] } };
}

/** The workspace and the style, as one change. */
async function createParts(): Promise<void> {
  const exists = (await listWorkspaces(SAMPLE_WORKSPACE)).includes(SAMPLE_WORKSPACE);
  if (exists) return;
  const operations = [
    { method: 'POST', path: '/workspaces', body: { workspace: { name: SAMPLE_WORKSPACE } } },
    {
      method: 'POST',
      path: rest`/workspaces/${SAMPLE_WORKSPACE}/styles?name=${STYLE}`,
      contentType: 'application/vnd.geoserver.geocss+css',
      content: css,
    },
  ];
  await callRest('/batch', { method: 'POST', body: { message: 'prepare the sample data', operations } });
}

function createCollection(): object {
  const found = feature(countries, countries.objects['countries'] ?? { type: 'GeometryCollection', geometries: [] });
  const features = found.type === 'FeatureCollection' ? found.features : [found];
  return {
    type: 'FeatureCollection',
    features: features.map(({ geometry, properties }) => ({
      type: 'Feature',
      properties: { name: String((properties as { readonly name?: string } | null)?.name ?? '') },
      geometry,
    })),
  };
}
