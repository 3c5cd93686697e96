import { runNode, type NodeRun } from './engine';
import type { Fleet, Sent } from './fleet';
import { effectsOf } from './reference';

/** What the reference's bodies add: mail to somebody, and updates without a backup. */
export function addedBy(sent: Sent[]): string[] {
	const text = JSON.stringify(sent.map(({ body }) => body));
	// A schedule that is created backs nothing up unless it is asked to.
	const isUnprotected = ({ route, body }: Sent) =>
		route === 'POST /auto-update-schedules'
			? !/"backup":true/.test(JSON.stringify(body))
			: /"options":\{[^}]*"backup":false/.test(JSON.stringify(body));
	return [
		...(/"recipients":\["|"send_to_client":true/.test(text) ? ['sendsMail'] : []),
		...(sent.some(isUnprotected) ? ['weakens'] : []),
	];
}

const isChange = ({ route }: Sent) => !route.startsWith('GET ');

const HARMFUL = /^(changesSites|sendsMail|givesAccess|weakens|destroys)$/;

const IN_WORDS: Record<string, string> = {
	sendsMail: 'sends emails',
	weakens: 'weakens protection',
};

const KNOWN = 'would preview operation does request target source replaces checked'.split(' ');

/** What a run of an operation shows with Preview, and that it sends nothing. @param name `node/resource/operation` */
export async function expectPreview(fleet: Fleet, name: string, run: NodeRun, sent: Sent[]) {
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
			would: expect.stringMatching(/^Would \w+ .*[^:;]$/),
			does: expect.any(Array),
			request: expect.objectContaining({ method, path }),
			target: expect.any(Object),
		},
	]);
	const does = json[0]!.does as string[];
	if (effectsOf(name).some((effect) => HARMFUL.test(effect))) expect(does).not.toEqual([]);
	const added = addedBy(sent).filter((effect) => !effectsOf(name).includes(effect));
	expect(does).toEqual(expect.arrayContaining(added.map((effect) => IN_WORDS[effect])));
	expect(Object.keys(json[0]!).filter((key) => !KNOWN.includes(key))).toEqual([]);
	const { request } = json[0] as { request: { body?: unknown } };
	expect(Object.keys(request.body ?? {})).toEqual(Object.keys(body ?? {}));
	const readOnly = await runNode({ ...fleet, limits: { access: 'readOnly' } }, preview);
	expect(readOnly.error?.message).toContain('its Access is Read Only');
}
