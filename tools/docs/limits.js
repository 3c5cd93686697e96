const { table } = require('./markdown');

/** What an operation does, as the Access of a credential tells it apart. */
const effectsOf = ({ effects, adds = [], isFinal }) => {
	const namesOf = (those) => [...new Set(those)].map((each) => effectTexts()[each].name).join(', ');
	const added = namesOf(adds.map(({ effect }) => effect));
	return effects.length === 0
		? 'that of the request'
		: `${namesOf(effects)}${added && `; with some fields also ${added}`}${isFinal ? '; **cannot be undone**' : ''}`;
};

const effectTexts = () => require('../../dist/nodes/shared/access/effects').effectTexts;

/** Which operations do what, by the choices of Allowed in a credential. */
function kinds(resources) {
	const all = resources.flatMap(({ name, operations }) =>
		operations.map(({ labels, effects }) => ({ name: `${name}: ${labels.name}`, effects })),
	);
	return table(
		['Allowed', 'What it is', 'Operations'],
		Object.entries(effectTexts()).map(([effect, { name, description }]) => {
			const those = all.filter(({ effects }) => effects.includes(effect)).map((each) => each.name);
			return [
				name,
				description,
				effect === 'reads' ? `${those.length}, all that only read` : those.sort().join(', '),
			];
		}),
	);
}

/** What a credential with Only Sites does with an operation; the first rule that fits an operation counts. */
const SITE_RULES = [
	{
		of: ({ composed }) => composed?.costs === 'no request',
		rule: 'Sends no request, and judges only what it gets',
		allowed: 'yes',
	},
	{
		of: ({ touches }) => touches.isAccountWide,
		rule: 'Account-wide',
		allowed: 'no',
	},
	{
		of: ({ touches }) => touches.destination,
		rule: 'The site of its path, and the site that is overwritten',
		allowed: 'if both are allowed',
	},
	{
		of: ({ touches }) => touches === 'noSite',
		rule: 'Reads what belongs to no site',
		allowed: 'yes',
	},
	{
		of: ({ touches }) => touches === 'listed',
		rule: 'Reads records of sites',
		allowed: 'yes, without those of other sites',
	},
	{
		of: ({ touches, route }) => touches.record && route.startsWith('GET '),
		rule: 'Reads more of a record: the sites that it has',
		allowed: 'if all are allowed, or it has none',
	},
	{
		of: ({ touches }) => touches.record || touches.records,
		rule: 'Changes a record: the sites that it has, and those that the change names',
		allowed: 'if all are allowed, and there is at least one',
	},
	{
		of: ({ touches }) => touches.mayNameNone,
		rule: 'Creates a record: the sites that it names',
		allowed: 'if all are allowed, or it names none',
	},
	{
		of: ({ touches }) => touches.sites,
		rule: 'The sites that the request names',
		allowed: 'if all are allowed, and there is at least one',
	},
	{
		of: ({ route }) => /^\w+ \/sites\/\{/.test(route),
		rule: 'The site of its path',
		allowed: 'if it is allowed',
	},
];

/** Which operations a credential allows with Only Sites, by rule. */
function sites(resources) {
	const all = resources.flatMap(({ name, operations }) =>
		operations.map((operation) => ({
			name,
			label: operation.labels.name,
			rule: SITE_RULES.find(({ of }) => of(operation)),
		})),
	);
	const unruled = all.find(({ rule }) => !rule);
	if (unruled) {
		throw new Error(`Say in SITE_RULES which sites ${unruled.name}: ${unruled.label} is about`);
	}
	return table(
		['Which sites count', 'Allowed', 'Operations'],
		SITE_RULES.map((each) => [
			each.rule,
			each.allowed,
			resources
				.flatMap(({ name }) => {
					const own = all.filter((one) => one.name === name);
					const those = own.filter(({ rule }) => rule === each).map(({ label }) => label);
					if (those.length === 0) return [];
					return `**${name}**: ${those.length === own.length ? 'all' : those.join(', ')}`;
				})
				.sort()
				.join('; '),
		]),
	);
}

module.exports = { effectsOf, kinds, sites };
