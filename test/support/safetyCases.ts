import { runNode, type NodeRun } from './engine';
import type { Fleet, Sent } from './fleet';
import { type Effect, EFFECTS, effectTexts } from '../../nodes/shared/access/effects';
import { effectsOf } from './reference';

/** The limits of credentials that lack one of what an operation does, and whose refusal says so. */
const forbidding = (effects: string[]) =>
	effects.every((effect) => effect === 'reads')
		? []
		: [
				{ access: 'readOnly' },
				...effects.map((lacking) => ({
					access: 'selected',
					allowed: EFFECTS.filter((effect) => effect !== 'reads' && effect !== lacking),
				})),
			];

/** What the reference's bodies add: mail to somebody, and updates without a backup. */
export function addedBy(sent: Sent[]): string[] {
	const text = JSON.stringify(sent.map(({ body }) => body));
	return [
		...(/"recipients":\["|"send_to_client":true/.test(text) ? ['sendsMail'] : []),
		...(/"options":\{[^}]*"backup":false/.test(text) ? ['weakens'] : []),
	];
}

const isChange = ({ route }: Sent) => !route.startsWith('GET ');

/** What a run of an operation sends with each access and with Preview. @param name `node/resource/operation` */
export async function expectSafe(
	fleet: Fleet,
	name: string,
	run: NodeRun,
	sent: Sent[],
): Promise<void> {
	const effects = [...new Set([...effectsOf(name), ...addedBy(sent)])];
	for (const limits of forbidding(effects)) {
		fleet.forget();
		const { error, items } = await runNode({ ...fleet, limits }, run);
		expect(error?.message).toMatch(
			/ is not allowed by the credential "Sandbox": its Access (is Read Only|does not include ")/,
		);
		expect(items).toEqual([]);
		expect(fleet.sent()).toEqual([]);
	}
	if (effects.includes('reads')) return;
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
			does: effects.map((effect) => effectTexts[effect as Effect].name),
			request: expect.objectContaining({ method, path }),
			target: expect.any(Object),
		},
	]);
	const known = [
		'preview',
		'operation',
		'does',
		'request',
		'target',
		'source',
		'replaces',
		'checked',
	];
	expect(Object.keys(json[0]!).filter((key) => !known.includes(key))).toEqual([]);
	const { request } = json[0] as { request: { body?: unknown } };
	expect(Object.keys(request.body ?? {})).toEqual(Object.keys(body ?? {}));
	const readOnly = await runNode({ ...fleet, limits: { access: 'readOnly' } }, preview);
	expect(readOnly.error?.message).toContain('its Access is Read Only');
	// What is allowed is done as ever.
	fleet.forget();
	const limits = { access: 'selected', allowed: effects };
	const done = await runNode({ ...fleet, limits }, run);
	expect(done.error).toBeUndefined();
	expect(fleet.sent()).toEqual(sent);
}
