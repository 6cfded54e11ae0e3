/** Runs the vector source contract over property files: a single file and a directory. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPropertyDirectory, openPropertyFile } from '../../src/vector/properties/properties-source.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

const COUNT = 2_500;

const squares = Array.from(
  { length: COUNT },
  (_, x) => `squares.${x}=POLYGON((${x} 0,${x} 1,${x + 1} 1,${x + 1} 0,${x} 0))|square ${x}|${x}\n`,
);

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'graticule-properties-'));
  await writeFile(
    join(folder, 'squares.properties'),
    `_=shape:Polygon:srid=4326,name:String,number:Integer\n${squares.join('')}`,
  );
  await writeFile(join(folder, 'Names.properties'), '_=name:String\none=Anna\n');
  return folder;
}

vectorSourceContract('a directory of property files', async () => {
  const directory = await createFolder();
  return {
    source: openPropertyDirectory(directory),
    typeNames: ['Names', 'squares'],
    large: { name: 'squares', count: COUNT },
    destroy: () => rm(directory, { recursive: true }),
  };
});

vectorSourceContract('a property file', async () => {
  const directory = await createFolder();
  return {
    source: openPropertyFile(join(directory, 'squares.properties')),
    typeNames: ['squares'],
    large: { name: 'squares', count: COUNT },
    destroy: () => rm(directory, { recursive: true }),
  };
});
