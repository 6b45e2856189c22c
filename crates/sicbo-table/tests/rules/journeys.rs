//! The user journeys J-01 to J-07 with their exact amounts.

use crate::rules::script::check;

#[test]
fn j_01_a_new_player_buys_in_plays_a_round_and_cashes_out() {
    check(
        "
        table   mbs-etg  min 5 max 500
        station T1  rapid
        credit  T1  100.00 cash
        balance T1  100.00
        activate                              by device tumbler
        tumbled 3                             by device tumbler
        open
        bet     T1  b1  big        5.00       registered
        bet     T1  b2  big        5.00       registered
        bet     T1  b3  total:11   5.00       registered
        bet     T1  b4  four:6543  5.00       registered
        close
        ack     T1
        atrisk  T1  20.00
        balance T1  80.00
        uncover
        flat
        dice    4 3 4
        confirm                               settled
        balance T1  137.50                    # 80 + big 20.00 + total 11 37.50; 6543 loses
        house   -37.50
        cashout T1  137.50  v1
        balance T1  0
        account vouchers 137.50
        ",
    );
}

#[test]
fn j_02_the_dealer_runs_an_open_cover_round() {
    check(
        "
        table    rws-open-cover
        station  T01 a 100.00
        station  T07 b 100.00
        flat                         refused no_round
        open
        bet      T01 b1 small 10.00
        bet      T07 b1 odd 10.00
        activate                     refused tumbler_locked rws-open-cover 5.3.3 (Q-01)
        close                        by house
        ack      T01
        activate                     refused tumbler_locked rws-open-cover 5.3.3 (Q-01)
        fence    T07                 by house      # silent for two seconds
        phase    closed
        activate
        tumbled  4
        flat
        dice     2 2 5
        confirm                      settled
        balance  T01 110.00
        balance  T07 110.00
        last     2 2 5
        open
        rounds   2
        ",
    );
    // The hardware was started anyway.
    check(
        "
        table    rws-open-cover
        station  T01 a 100.00
        open
        bet      T01 b1 small 10.00
        activate by device tumbler
        close                        refused only_void_possible rws-open-cover 5.3.3
        void     tumbler-activated-early   void rws-open-cover 5.3.3
        balance  T01 100.00
        ",
    );
}

#[test]
fn j_03_the_tumbler_fails() {
    // With bets down: during betting (mbs-table), after the close (rws-open-cover).
    for (book, layout, close, rule) in [
        ("mbs-table", "a", "", "5.1 (Q-33)"),
        ("rws-etg", "a", "", "5.3.1 (Q-33)"),
        ("quang-nam-table", "a", "", "7.2 (Q-33)"),
        ("rws-open-cover", "a", "to-closed", "5.3.1 (Q-33)"),
    ] {
        check(&format!(
            "
            table    {book}
            station  T1 {layout} 100.00
            open
            bet      T1 b1 big 10.00
            {close}
            activate                   by device tumbler
            tumbled  2                 by device tumbler
            flat                       refused only_void_possible {book} {rule}
            activate                   refused only_void_possible {book} {rule}
            void     too-few-tumbles   void {book} {rule}
            purse    T1 100.00
            last     no-result
            house    0
            "
        ));
    }
    // mbs-etg: the failure comes before betting and leaves a round without bets.
    check(
        "
        table    mbs-etg
        station  T1 rapid
        activate                   by device tumbler
        tumbled  2                 by device tumbler
        void     too-few-tumbles   void mbs-etg 5.1 (Q-33)
        rounds   1
        last     no-result
        ",
    );
}

#[test]
fn j_04_a_wrong_result_is_keyed() {
    // a. Before it is confirmed: the keys are taken back.
    check(
        "
        table   rws-etg
        station T1 a
        to-visible
        flat
        dice    3 3 5
        clear-keys
        dice    3 3 6
        confirm
        last    3 3 6
        ",
    );
    // b. After it is confirmed, before the next round: 3-3-5 was 3-3-6.
    check(
        "
        table   rws-etg
        station T1 a 100.00
        station T2 a 100.00
        to-betting T1 b1 total:11 10.00
        bet     T2 b1 total:12 10.00 even 10.00
        round   3 3 5
        balance T1 165.00           # 90 + 75
        balance T2 80.00
        house   -45.00
        correct 1 3 3 6 by pit-supervisor Sue and dealer Dan
        last    3 3 6
        balance T1 165.00
        recoverable T1 75.00
        balance T2 180.00           # 80 + 10 x 8 + 20
        house   -70.00              # the difference of the two settlements
        ",
    );
    // c. After later rounds, with a player who left.
    check(
        "
        table   rws-etg
        station T1 a 100.00
        station T2 a 100.00
        to-betting T1 b1 total:11 10.00
        bet     T2 b1 total:12 10.00
        round   3 3 5
        cashout T2 90.00 v1
        to-betting T1 b1 big 20.00
        round   6 5 1
        balance T1 185.00
        correct 1 3 3 6 by shift-manager Sam and pit-supervisor Sue
        unclaimed T2 80.00
        balance T2 0
        recoverable T1 75.00
        last    6 5 1
        recover 1 75.00 by shift-manager Sam
        balance T1 110.00
        pay-unclaimed 1 by shift-manager Sam
        house   -80.00              # T1 lost 10 and won 20, T2 won 70
        ",
    );
}

#[test]
fn j_05_the_power_fails_in_mid_betting_and_after_the_dice_are_known() {
    for (book, layout, void, conclude) in [
        ("rws-etg", "a", "5.1.2 (Q-07)", "5.1.1 (Q-07)"),
        ("rws-open-cover", "a", "5.1.2 (Q-07)", "5.1.1 (Q-07)"),
        ("mbs-etg", "rapid", "5.8.1 (Q-07)", "5.8.2 (Q-07)"),
    ] {
        check(&format!(
            "
            table   {book}
            station T1 {layout} 100.00
            to-betting T1 b1 big 10.00
            interrupt all dark              pending interrupted {book} {void}
            bet     T1 b2 big 10.00         refused decision_pending {book} {void}
            confirm-interruption            void {book} {void}
            balance T1 100.00
            connect T1
            to-betting T1 b1 big 10.00
            to-visible
            interrupt all dark              pending interrupted {book} {conclude}
            confirm-interruption in-place by dealer Dan and pit-supervisor Sue
            to-result 6 5 1
            balance T1 110.00
            "
        ));
    }
    // Covered dice, betting closed, not yet uncovered: no outcome.
    check(
        "
        table   rws-etg
        station T1 a 100.00
        to-betting T1 b1 big 10.00
        to-closed
        interrupt all dark     pending interrupted rws-etg 5.1.2 (Q-07)
        confirm-interruption   void rws-etg 5.1.2 (Q-07)
        balance T1 100.00
        ",
    );
}

#[test]
fn j_06_a_terminal_loses_its_network_with_a_bet_in_flight() {
    // Committed before the drop: the answer is repeated, not doubled.
    check(
        "
        table   mbs-etg
        station T12 rapid 200.00
        to-betting
        bet     T12 b87 big 30.00   registered
        bet     T12 b88 big 50.00   registered     # the answer never arrived
        disconnect T12
        connect T12
        bet     T12 b88 big 50.00   again
        atrisk  T12 80.00
        ",
    );
    // Never arrived, betting still open: registered now.
    check(
        "
        table   mbs-etg
        station T12 rapid 200.00
        to-betting
        bet     T12 b87 big 30.00   registered
        disconnect T12
        connect T12
        bet     T12 b88 big 50.00   registered
        atrisk  T12 80.00
        ",
    );
    // Never arrived, closed: 30.00 settled, 50.00 returned or not taken part.
    for (book, layout, rule) in [
        ("rws-etg", "a", "5.2.2 (Q-12)"),
        ("rws-open-cover", "a", "5.2.2 (Q-12)"),
        ("mbs-etg", "rapid", "5.9.2 (Q-10)"),
    ] {
        check(&format!(
            "
            table   {book}
            station T12 {layout} 200.00
            to-betting
            bet     T12 b87 big 30.00   registered
            disconnect T12
            close
            phase   closed
            connect T12
            bet     T12 b88 big 50.00   refused station_fenced {book} {rule}
            bet     T12 b87 big 30.00   again
            round   6 5 1
            balance T12 230.00
            "
        ));
    }
    // mbs-etg: accepted, and the close never shown there: settled, and flagged.
    check(
        "
        table   mbs-etg
        station T12 rapid 200.00
        to-betting T12 b87 big 30.00
        disconnect T12
        close                       pending terminal-open-case mbs-etg 6.1 (Q-10)
        round   6 5 1
        balance T12 230.00
        rule    terminal-open-case accept by shift-manager Sam
        waits   nothing
        ",
    );
}

#[test]
fn j_07_damaged_dice_are_found_after_three_rounds() {
    check(
        "
        each    rws-etg 5.4 (Q-15) | rws-open-cover 5.4 (Q-15)
        table    BOOK min 5 max 1000
        station  A LAYOUT 500.00
        station  B LAYOUT 500.00
        to-betting A b1 small 50.00
        round    1 1 2
        to-betting A b1 small 100.00
        bet      B b1 triple:6 10.00
        round    6 6 6
        to-betting B b1 big 20.00
        round    1 1 2
        balance  A 450.00            # won 50, lost 100
        balance  B 2430.00           # won 1,950, lost 20
        house    -1880.00
        void-rounds 1 2 3 by shift-manager Sam and pit-supervisor Sue   void RULE
        balance  A 550.00            # the lost 100 at once
        recoverable A 50.00
        balance  B 2450.00
        recoverable B 1950.00
        house    0
        last     no-result
        recover  2 1950.00 by shift-manager Sam
        balance  B 500.00
        waive    1 no prior notice by shift-manager Sam
        house    -50.00
        open     refused dice_change_needed
        dice-set set-2 by pit-supervisor Sue and dealer Dan
        to-betting A b1 big 10.00
        round    6 5 1
        balance  A 560.00
        ",
    );
    // The player has cashed out: nothing goes below zero.
    check(
        "
        table    rws-etg min 5 max 1000
        station  B a 100.00
        to-betting B b1 triple:6 10.00
        round    6 6 6
        cashout  B 2050.00 v1
        void-rounds 1 by shift-manager Sam and pit-supervisor Sue
        balance  B 0
        recoverable B 1950.00
        recover  1 10.00 by shift-manager Sam   refused player_has_left
        ",
    );
    // Elsewhere only the last round by the rule; older ones by a ruling.
    check(
        "
        each    mbs-etg 5.4 (Q-15)
        table    BOOK
        station  T1 LAYOUT
        round    1 1 2
        round    1 1 3
        void-rounds 2 by shift-manager Sam and pit-supervisor Sue   void RULE
        void-rounds 1 by shift-manager Sam and pit-supervisor Sue   void mbs-etg 6.1, 6.2 (Q-15)
        ",
    );
}
