/** The quick tests first: only what has survived a stage meets those of the next one. */
export const STAGES = ['unit', 'room', 'rest'];

/** Tests that are about a room and stand elsewhere. */
const ELSEWHERE = {
	polling: /^contract.triggers.(?!cost)/,
	client: /^contract.(access.|receive.(errors|file)[.])/,
	run: /^contract.receive.(errors|file)[.]/,
	input: /^contract.(describe.panels|published)[.]/,
	receive: /^contract.run.wait[.]/,
};

/** Tests of random cases, or of many, take longer than others. */
const SLOW = /property/;

/** About the package and its documents, or the service alone. */
const NEVER =
	/^contract.(coverage|examples|package)[.]|^unit.(?!(access|input|lib|n8n|operation|polling|receive|client|run|vocabulary).)/;

/**
 * The stage in which a file of tests is run for what is mutated in a file.
 * @param tests its path below `test`
 */
export function stageOf(tests, mutated) {
	if (NEVER.test(tests)) return undefined;
	const [, room] = /shared.(\w+)/.exec(mutated);
	const isOfRoom = new RegExp(`^\\w+.${room}.`).test(tests);
	if (isOfRoom && tests.startsWith('unit') && !SLOW.test(tests)) return 'unit';
	const isSlow = SLOW.test(tests) && !tests.startsWith('unit');
	return (isOfRoom || ELSEWHERE[room]?.test(tests)) && !isSlow ? 'room' : 'rest';
}
