import { expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, polygonShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';
import { createKeyedMutex } from '../../lib/async/keyed-mutex.ts';
import { ROLE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { openCatalog } from '../../records/catalog.ts';
import type { StoreData } from '../stores/store-data.ts';
import { createFeatureType, type FeatureTypeCreation } from './feature-types.ts';

const server = useTestServer();
const administrator = { name: 'test', roles: new Set([ROLE_ADMINISTRATOR]) };
const stores = '/workspaces/acme/datastores';

it('publishes a type with its new data if that is replaced during the request', async () => {
  await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
  await putZip(server, `${stores}/s/file.shp?configure=none`, zipOf({ places: pointShapefile() }));
  const looks: string[] = [];
  const data: Pick<StoreData, 'describe'> = {
    async describe(_view, name) {
      const isFirst = looks.push(name) === 1;
      if (isFirst) {
        await putZip(server, `${stores}/s/file.shp?configure=none`, zipOf({ places: polygonShapefile() }));
      }
      return { name, attributes: [{ name: 'the_geom', type: isFirst ? 'Point' : 'MultiPolygon' } as never] };
    },
  };
  const options = { data, oneAtATime: createKeyedMutex() } as unknown as FeatureTypeCreation;
  const catalog = openCatalog(server.server.storage);

  const { view } = await createFeatureType(
    catalog,
    administrator,
    { workspace: 'acme', store: 's' },
    { draft: { name: 'places' }, ...options },
  );

  expect(looks).toEqual(['places', 'places']);
  expect(view.type.attributes).toMatchObject([{ name: 'the_geom', type: 'MultiPolygon' }]);
});
