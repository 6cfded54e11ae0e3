/** Returns where the settings store uploaded files. */
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
  const { storage, blobs, awsAccessKeyId, awsSecretAccessKey, awsSessionToken } = settings;
  if (storage === undefined || blobs?.kind !== 'objects') return undefined;
  if (awsAccessKeyId === undefined || awsSecretAccessKey === undefined) {
    throw new Error('The object store has no credentials.');
  }
  return {
    location: blobs.location,
    credentials: {
      accessKeyId: awsAccessKeyId,
      secretAccessKey: awsSecretAccessKey,
      sessionToken: awsSessionToken,
    },
  };
}
