import { request } from '../../../nodes/Api/resources/request';
import * as tables from '../../../nodes/resources';
import { act } from '../../../nodes/shared/describe';
import { beginsWith } from '../../../nodes/shared/operation';

/** Actions, which n8n gives as names to new nodes and to tools: n8n's guidelines want them without articles. */

const all = [...Object.values(tables), request].flatMap(({ operations }) =>
	operations.map(({ labels }) => labels),
);
const actions = all.map(({ action }) => action);

it('are verb and object in sentence case, without articles, and unique', () => {
	expect(actions.length).toBeGreaterThan(150);
	expect(actions.filter((action) => !/^[A-Z][a-z]+ [\w -]+$/.test(action))).toEqual([]);
	expect(actions.filter((action) => /\b(a|an|the)\b/i.test(action))).toEqual([]);
	expect(actions.filter((action, index) => actions.indexOf(action) !== index)).toEqual([]);
});

it('are not the descriptions, which are sentences with articles', () => {
	const bare = all.filter(({ action, description }) => action === description);
	const isList = /^Get many [a-z ]+s$/;
	expect(bare.map(({ action }) => action).filter((action) => !isList.test(action))).toEqual([]);
});

it.each([
	['Get tag', 'Get a tag'],
	['Create important page', 'Create an important page'],
	['Delete clients', 'Delete clients'],
	['Restore site from backup', 'Restore a site from backup'],
])('%s is described as: %s', (action, expected) => {
	expect(act(action, 'GET /sites/{siteId}').labels.description).toBe(expected);
	expect(beginsWith(action, expected)).toBe(true);
	expect(beginsWith(action, 'Start a task')).toBe(false);
});
