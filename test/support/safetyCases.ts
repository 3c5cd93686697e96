import { runNode, type NodeRun } from './engine';
import type { Fleet, Sent } from './fleet';
import { effectOf } from './reference';

/** The accesses of a credential that forbid what has this effect. */
const forbidden = {
	reads: [],
	changes: ['readOnly'],
	irreversible: ['readOnly', 'noIrreversible'],
};

const isChange = ({ route }: Sent) => !route.startsWith('GET ');

/** What a run of an operation sends with each access and with Preview. @param name `node/resource/operation` */
export async function expectSafe(
	fleet: Fleet,
	name: string,
	run: NodeRun,
	sent: Sent[],
): Promise<void> {
	const effect = effectOf(name);
	for (const access of forbidden[effect]) {
		fleet.forget();
		const { error, items } = await runNode({ ...fleet, access }, run);
		expect(error?.message).toContain('is not allowed by the credential "Sandbox": its Access is');
		expect(items).toEqual([]);
		expect(fleet.sent()).toEqual([]);
	}
	if (effect === 'reads') return;
	fleet.forget();
	const preview = { ...run, parameters: { ...run.parameters, preview: true } };
	const { error, json } = await runNode(fleet, preview);
	expect(error).toBeUndefined();
	expect(fleet.sent().filter(isChange)).toEqual([]);
	// A site By URL is looked up first.
	const { route, body } = sent.find(isChange) ?? sent[0]!;
	const [method, path] = route.split(' ');
	// A migration has its source, a change that sets a list anew what it replaces.
	expect(json).toMatchObject([
		{
			preview: true,
			operation: expect.any(String),
			irreversible: effect === 'irreversible',
			request: expect.objectContaining({ method, path }),
			target: expect.any(Object),
		},
	]);
	const known = ['preview', 'operation', 'irreversible', 'request', 'target', 'source', 'replaces'];
	expect(Object.keys(json[0]!).filter((key) => !known.includes(key))).toEqual([]);
	const { request } = json[0] as { request: { body?: unknown } };
	expect(Object.keys(request.body ?? {})).toEqual(Object.keys(body ?? {}));
	const readOnly = await runNode({ ...fleet, access: 'readOnly' }, preview);
	expect(readOnly.error?.message).toContain('its Access is Read Only');
	// What is allowed is done as ever.
	fleet.forget();
	const access = effect === 'changes' ? 'noIrreversible' : 'everything';
	const done = await runNode({ ...fleet, access }, run);
	expect(done.error).toBeUndefined();
	expect(fleet.sent()).toEqual(sent);
}
