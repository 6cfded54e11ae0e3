/** Gives a test file the details of a server that it shares with the other files of the run. */
import { inject } from 'vitest';
import type { ServiceDetails } from './service-table.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly serviceBrokerAddress: string;
  }
}

/** Longer than the start timeout of any service, so that the error of the service itself is reported. */
export const SERVICE_START_DEADLINE_MS = 400_000;

export async function askForService<Name extends keyof ServiceDetails>(name: Name): Promise<ServiceDetails[Name]> {
  const reply = await fetch(new URL(name, inject('serviceBrokerAddress')), {
    signal: AbortSignal.timeout(SERVICE_START_DEADLINE_MS),
  });
  const body: unknown = await reply.json();
  if (!reply.ok) throw new Error(`${name} could not be started: ${JSON.stringify(body)}`);
  return body as ServiceDetails[Name];
}
