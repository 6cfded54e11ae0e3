import { expectTypeOf, test } from 'vitest';
import type { DataStore } from '../../catalog/kinds/data-store.ts';
import type { Secret } from '../../lib/identity/secret.ts';
import type { RecordKind, SecretFieldsOf } from '../../records/record.ts';
import type { Workspace } from '../../records/workspace.ts';
import type { AuthProvider } from '../../security/auth-providers/model/auth-provider.ts';
import type { Administrator } from '../../security/core/administrator.ts';
import type { User } from '../../security/users/user.ts';

test('a kind must declare every secret field, including optional and nested ones', () => {
  expectTypeOf<SecretFieldsOf<DataStore>>().toEqualTypeOf<'sealedParameters'>();
  expectTypeOf<SecretFieldsOf<Administrator>>().toEqualTypeOf<'passwordHash'>();
  expectTypeOf<SecretFieldsOf<User>>().toEqualTypeOf<'passwordHash'>();
  expectTypeOf<SecretFieldsOf<AuthProvider>>().toEqualTypeOf<'sealedPassword'>();
  expectTypeOf<SecretFieldsOf<Workspace>>().toEqualTypeOf<never>();

  // Missing declarations do not compile.
  expectTypeOf<Record<never, never>>().not.toExtend<RecordKind<User>['secrets']>();
  expectTypeOf<Secret>().not.toExtend<string>();
});
