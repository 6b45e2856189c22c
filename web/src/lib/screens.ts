// The screens of staff and whose they are: the same positions the house lets
// through the doors that each screen uses.
import type { MessageKey } from './i18n.svelte';

export interface Screen {
  screen: string;
  path: string;
  title: MessageKey;
  positions: readonly string[];
}

const LADDER = ['pit-supervisor', 'pit-manager', 'shift-manager', 'director', 'head-of-operations'] as const;

export const SCREENS: readonly Screen[] = [
  { screen: 'pit', path: '/pit', title: 'pit', positions: [...LADDER, 'surveillance', 'auditor', 'regulator'] },
  { screen: 'cases', path: '/cases', title: 'cases', positions: [...LADDER, 'surveillance', 'auditor', 'regulator'] },
  { screen: 'dice', path: '/dice', title: 'dice-custody', positions: ['dealer', ...LADDER, 'surveillance', 'auditor', 'regulator'] },
  { screen: 'shifts', path: '/shifts', title: 'shifts', positions: [...LADDER, 'surveillance', 'auditor', 'regulator'] },
  { screen: 'reports', path: '/reports', title: 'reports', positions: ['pit-manager', 'shift-manager', 'director', 'head-of-operations', 'surveillance', 'auditor', 'regulator'] },
  { screen: 'surveillance', path: '/surveillance', title: 'surveillance', positions: ['shift-manager', 'director', 'head-of-operations', 'surveillance', 'auditor', 'regulator'] },
  { screen: 'security', path: '/security', title: 'security', positions: ['surveillance', 'auditor', 'regulator'] },
  { screen: 'cashier', path: '/cashier', title: 'cashier', positions: ['cashier', 'shift-manager', 'director', 'head-of-operations'] },
  { screen: 'people', path: '/people', title: 'people', positions: [...LADDER, 'surveillance', 'auditor', 'regulator'] },
  { screen: 'technician', path: '/technician', title: 'technician', positions: ['technician', 'director', 'head-of-operations'] },
];

/**
 * Whether a position is one of these. Positions that the house names above the
 * director stand wherever the director does.
 */
export function isAmong(positions: readonly string[], position: string): boolean {
  return positions.includes(position.startsWith('above-director-') ? 'director' : position);
}

/** Those who deal and those above them, as the books rank them. */
const TABLE = ['dealer', ...LADDER.slice(0, 4)];

/** Who writes down what a UV scanner showed (docs/who-decides.md, `step_case:check_uv`). */
export const CHECKS_UV: readonly string[] = [...TABLE, 'cashier'];

/**
 * Whether somebody may be one of the two who sign for dice, a shift or a voucher
 * (docs/who-decides.md); who with whom is the register's business.
 */
export function maySign(act: string, position: string): boolean {
  const from = (lowest: string) => TABLE.slice(TABLE.indexOf(lowest));
  switch (act) {
    case 'open_shift':
    case 'go_on_after_rollback':
      return isAmong(from('pit-supervisor'), position);
    case 'add_person':
    case 'change_position':
    case 'reset_pin':
    case 'enable_person':
    case 'enrol':
    case 'revoke':
      // In a house with few people left anybody may be one of the two.
      return true;
    case 'close_shift':
      return isAmong(from('pit-manager'), position);
    case 'count_boxes':
      return isAmong(['cashier', ...from('pit-manager')], position);
    case 'pay_kept':
      return isAmong(['cashier', ...from('pit-supervisor')], position);
    case 'void_voucher':
      return isAmong(['cashier', ...TABLE], position);
    default:
      return isAmong([...TABLE, 'surveillance'], position);
  }
}

/** Those who only look. */
export function onlyLooks(position: string): boolean {
  return ['surveillance', 'auditor', 'regulator'].includes(position);
}
