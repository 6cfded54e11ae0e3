/** A data directory of another server with very many layers, each stored in three files. */
import { join } from 'node:path';
import {
  type DirectoryFiles,
  dataStoreXml,
  layerXml,
  resourceXml,
  styleXml,
  workspaceFiles,
} from '../test/support/source-directories/documents.ts';
import { writeDirectory } from '../test/support/source-directories/write-directory.ts';
import { pointShapefile, writeShapefiles } from '../test/support/vector-samples.ts';

const LAYERS_A_WORKSPACE = 100;

const SLD = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>dots</Name><UserStyle>
  <FeatureTypeStyle><Rule><PointSymbolizer/></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

export async function writeLargeDirectory(folder: string, layers: number): Promise<void> {
  await writeShapefiles(join(folder, 'data/shapes'), { places: pointShapefile() });
  await writeDirectory(folder, {
    'styles/dots.xml': styleXml({ name: 'dots' }),
    'styles/dots.sld': SLD,
  });
  for (let first = 0; first < layers; first += LAYERS_A_WORKSPACE) {
    const count = Math.min(LAYERS_A_WORKSPACE, layers - first);
    await writeDirectory(folder, createWorkspace(`w${first / LAYERS_A_WORKSPACE}`, count));
  }
}

function createWorkspace(workspace: string, layers: number): DirectoryFiles {
  const store = `workspaces/${workspace}/shapes`;
  const parameters = { url: 'file:data/shapes', filetype: 'shapefile' };
  const files: Record<string, string | Buffer> = {
    ...workspaceFiles(workspace),
    [`${store}/datastore.xml`]: dataStoreXml({ workspace, name: 'shapes', type: 'Shapefile', parameters }),
  };
  for (let number = 0; number < layers; number += 1) {
    const name = `layer${number}`;
    const resource = { workspace, store: 'shapes', name, nativeName: 'places' };
    files[`${store}/${name}/featuretype.xml`] = resourceXml(resource);
    files[`${store}/${name}/layer.xml`] = layerXml({ workspace, name, style: ['name', 'dots'] });
  }
  return files;
}
