/** Tests of providers, stored or not. Nothing is stored; passwords count like those of a sign-in. */
import { callRest } from '../../../rest/client.ts';

export interface TestStep {
  readonly step: string;
  readonly ok: boolean;
  readonly code?: string;
  readonly message?: string;
}

export interface ProviderTest {
  readonly ok: boolean;
  readonly steps: readonly TestStep[];
  readonly principal: { readonly name: string; readonly roles: readonly string[] } | null;
}

export type Credentials = { readonly user: string; readonly password: string } | { readonly token: string };

/** Only a name stands for the stored provider. */
export async function testProvider(
  authprovider: Readonly<Record<string, unknown>>,
  credentials: Credentials | undefined,
): Promise<ProviderTest> {
  const { body } = await callRest<{ readonly test: ProviderTest }>('/security/authproviders/test', {
    method: 'POST',
    body: { authprovider, ...(credentials === undefined ? {} : { credentials }) },
  });
  return body.test;
}
