/** The methods of items that a collection offers to a client, for the Allow header. */
import type { Method } from '../../../http/routes/route.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import { isEditable } from '../../access/edit-type.ts';
import { type FeaturesCall, type FeaturesEnvironment, openFeaturesContext } from './collections/features-context.ts';

const noParameters = { get: () => undefined, all: [] };

/** Throws a Problem for missing and hidden collections, as reading does. */
export async function listOfferedMethods(
  call: FeaturesCall,
  world: FeaturesEnvironment,
  changes: readonly Method[],
): Promise<readonly Method[]> {
  const name = call.params.collection ?? '';
  const reading = await openFeaturesContext(call, world, 'GetFeature', noParameters);
  await reading.getCollection(name, 'description');
  return (await canChange(call, world, name)) ? ['GET', ...changes] : ['GET'];
}

async function canChange(call: FeaturesCall, world: FeaturesEnvironment, name: string): Promise<boolean> {
  try {
    const { featureAccess, getCollection } = await openFeaturesContext(call, world, 'Transaction', noParameters);
    const type = await getCollection(name, 'write');
    return featureAccess.settings['serviceLevel'] !== 'BASIC' && isEditable(type, call.services.vectorData);
  } catch (error) {
    if (error instanceof Problem && [401, 403, 404].includes(error.status)) return false;
    throw error;
  }
}
