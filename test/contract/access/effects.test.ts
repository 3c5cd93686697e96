import { beginsWith, type Resource } from '../../../nodes/shared/operation';
import { builtOperations } from '../../support/builtOperations';
import { nodeType } from '../../support/engine';
import { effectsOf, resourceFile, rowOf, TABLE } from '../../support/reference';
import { toolOf } from '../../support/tool';

describe('what each operation does', () => {
	it('is what the reference says', async () => {
		const resources = Object.values<Resource>(require('../../../dist/nodes/resources'));
		const does = new Map(
			resources.flatMap(({ operations }) =>
				operations.flatMap(({ composed, route, effects }) =>
					composed ? [] : [[route as string, effects.join(' ')]],
				),
			) as Array<[string, string]>,
		);
		const all = (await builtOperations()).map(({ name, url }) => [name, does.get(url)] as const);
		const wrong = all.filter(([name, is]) => is !== effectsOf(name).join(' '));
		expect(
			wrong.map(([name, is]) =>
				is === undefined
					? `nodes/resources.ts: run "npm run build", which adds the resource of ${name}`
					: `${TABLE}: does ${name} "${is}", or is ${resourceFile(name)} wrong?`,
			),
		).toEqual([]);
	});

	it('decides about Preview, the notice, and what a model reads', async () => {
		for (const { name, action, fields } of await builtOperations()) {
			const [node, resource, operation] = name.split('/') as [string, string, string];
			const names = fields.map((field) => field.name);
			const reads = effectsOf(name).includes('reads');
			expect([name, names.includes('preview')]).toEqual([name, !reads]);
			if (rowOf(name).final === undefined) continue;
			expect([name, names.includes('notice')]).toEqual([name, true]);
			const told = toolOf(await nodeType(node), { resource, operation }).description;
			expect([name, beginsWith(action, told)]).toEqual([name, true]);
			expect(told).toContain(', cannot be undone.');
		}
	});

	it('Only If is there for whatever cannot be undone and is about one record with a name', async () => {
		const bare = (await builtOperations())
			.filter(({ name }) => rowOf(name).final !== undefined)
			.filter(({ fields }) => !fields.some(({ name }) => name.startsWith('onlyIf')));
		// The account as a whole, and a task, which has no name.
		expect(bare.map(({ name }) => name).sort()).toEqual([
			'branding/loginScreenBranding/reset',
			'branding/pluginBranding/reset',
			'task/task/cancel',
		]);
	});
});
