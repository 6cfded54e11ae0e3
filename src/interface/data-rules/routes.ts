/** Routes for data rules, which limit rows, attributes and areas, and for explanations of access. */
import {
  changeDataRule,
  createDataRule,
  dataRuleExists,
  deleteDataRule,
  findDataRule,
  listDataRules,
} from '../../catalog/data-rules/data-rules.ts';
import { type ExplanationQuestion, explainAccess } from '../../catalog/data-rules/explain-access.ts';
import { createPrefixedParameter, createTextParameter, createTextsParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { problem } from '../../lib/problems/problem.ts';
import { del, family, get, post, put, type Services } from '../common/services.ts';
import { dataRuleDocument, dataRuleListing, explanationDocument } from './representation.ts';

const contentProblems = [
  'name-illegal',
  'data-rule-exists',
  'data-rule-invalid',
  'data-rule-unsupported',
  'data-rule-limit',
] as const;

export function dataRuleRoutes(): RouteTable<Services> {
  return family(
    'Data rules',
    {
      description:
        'Rules that limit the rows, attributes and area of layers that roles can read and write. Layer rules decide first.',
      formats: ['json', 'html'],
      formatGroup: 'additions',
      exactNames: { dataRule: ({ catalog }, { dataRule = '' }) => dataRuleExists(catalog, dataRule) },
    },
    [
      get(
        '/security/acl/data',
        'List the data rules',
        { returns: dataRuleListing, rejectsUnknownQuery: true },
        async ({ services }) => ({ resource: await listDataRules(services.catalog) }),
      ),

      post(
        '/security/acl/data',
        'Create a data rule',
        { accepts: dataRuleDocument, rejectsUnknownQuery: true, problems: contentProblems },
        async ({ services, principal, body }) => {
          const { name, warnings } = await createDataRule(services, principal, body);
          return { location: ['security', 'acl', 'data', name], text: name, warnings };
        },
      ),

      get(
        '/security/acl/data/:dataRule',
        'Read a data rule',
        { returns: dataRuleDocument, versioned: true, rejectsUnknownQuery: true, problems: ['data-rule-unknown'] },
        async ({ services, params }) => {
          const rule = await findDataRule(services.catalog, params.dataRule);
          return { resource: rule, version: rule.version };
        },
      ),

      put(
        '/security/acl/data/:dataRule',
        'Change or rename a data rule',
        {
          accepts: dataRuleDocument,
          rejectsUnknownQuery: true,
          problems: ['data-rule-unknown', 'name-emptied', ...contentProblems],
        },
        ({ services, principal, params, body, precondition }) =>
          changeDataRule(services, principal, params.dataRule, { draft: body, precondition }),
      ),

      del(
        '/security/acl/data/:dataRule',
        'Delete a data rule',
        { rejectsUnknownQuery: true, problems: ['data-rule-unknown'] },
        ({ services, principal, params, precondition }) =>
          deleteDataRule(services.catalog, principal, params.dataRule, { precondition }),
      ),

      get(
        '/security/acl/explain',
        'Explain which rules decide about the access to a layer',
        {
          returns: explanationDocument,
          rejectsUnknownQuery: true,
          query: {
            layer: { ...createTextParameter("The layer, as 'workspace:layer'."), isRequired: true },
            user: createTextParameter('A user of the default user/group service.'),
            role: createTextsParameter('Roles instead of a user.'),
            'claim.*': createPrefixedParameter('claim.', "Values of claims, such as 'claim.dept=red'."),
          },
          problems: ['explanation-subject', 'layer-unknown', 'user-unknown'],
        },
        async ({ services, query }) => ({
          resource: await explainAccess(
            services,
            toQuestion({ layer: query.layer, user: query.user, roles: query.role, claims: query['claim.*'] }),
          ),
        }),
      ),
    ],
  );
}

function toQuestion(sent: Omit<ExplanationQuestion, 'layer'> & { readonly layer: string | null }): ExplanationQuestion {
  const { layer, user, roles } = sent;
  if (layer === null)
    throw problem('explanation-subject', { field: 'layer', reason: "name a layer: 'workspace:layer'" });
  if ((user === null) === (roles.length === 0)) {
    throw problem('explanation-subject', { field: 'user', reason: "use either 'user' or 'role'" });
  }
  return { ...sent, layer };
}
