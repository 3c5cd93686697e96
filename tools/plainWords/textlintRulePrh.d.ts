/** It comes without types. */
declare module 'textlint-rule-prh' {
	import type { TextlintFixableRuleModule } from '@textlint/types';

	const rule: TextlintFixableRuleModule;
	export default rule;
}
