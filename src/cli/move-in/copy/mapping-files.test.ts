import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { outerPlace } from './data-place.ts';
import { listMappingFiles } from './mapping-files.ts';

const folder = useTemporaryFolder('mapping-files');

it('the schemas of MongoDB sources of a mapping are copied with it', async () => {
  const parameters = Object.entries({
    data_store: 'mongodb://localhost/wells',
    schema_store: 'file:schemas',
  }).map(([name, value]) => `<Parameter><name>${name}</name><value>${value}</value></Parameter>`);
  const mapping = `<AppSchemaDataAccess><sourceDataStores><DataStore><parameters>${parameters.join('')}</parameters></DataStore></sourceDataStores></AppSchemaDataAccess>`;
  await mkdir(join(folder, 'schemas'));
  await writeFile(join(folder, 'wells.appschema'), mapping);
  await writeFile(join(folder, 'schemas/well.json'), '{}');
  await writeFile(join(folder, 'schemas/notes.txt'), 'not a schema');

  const listed = await listMappingFiles(outerPlace, join(folder, 'wells.appschema'));

  expect(listed.main).toBe('wells.appschema');
  expect(listed.files.map(({ name }) => name)).toEqual(['schemas/well.json', 'wells.appschema']);
});
