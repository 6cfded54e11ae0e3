/** Returns where the settings store uploaded files. */
import type { ObjectStoreCredentials } from '../../storage/objects/location.ts';
import type { ObjectStoreOptions } from '../../storage/objects/send-request.ts';
import type { Settings } from './settings.ts';

/** Returns the directory that all nodes mount, if --blobs names one. */
export function findBlobsDirectory({ blobs }: Pick<Settings, 'blobs'>): string | undefined {
  return blobs?.kind === 'directory' ? blobs.directory : undefined;
}

export type ObjectStoreSettings = Pick<
  Settings,
  'storage' | 'blobs' | 'awsAccessKeyId' | 'awsSecretAccessKey' | 'awsSessionToken'
>;

/** Returns the object store of the settings. A server without --storage uses none. */
export function findObjectStore(settings: ObjectStoreSettings): ObjectStoreOptions | undefined {
  const { storage, blobs } = settings;
  if (storage === undefined || blobs?.kind !== 'objects') return undefined;
  return { location: blobs.location, credentials: getCredentials(settings) };
}

export function getCredentials({
  awsAccessKeyId,
  awsSecretAccessKey,
  awsSessionToken,
}: Pick<Settings, 'awsAccessKeyId' | 'awsSecretAccessKey' | 'awsSessionToken'>): ObjectStoreCredentials {
  if (awsAccessKeyId === undefined || awsSecretAccessKey === undefined) {
    throw new Error('The object store has no credentials.');
  }
  return { accessKeyId: awsAccessKeyId, secretAccessKey: awsSecretAccessKey, sessionToken: awsSessionToken };
}
