//! Divides a byte budget among the results of several queries. Nothing is dropped: long ones are shortened, and short ones
//! leave their rest to the others. Pure arithmetic.

/// Each want's share of `total`: never more than wanted, the small ones first, the rest in equal shares. The sum never
/// exceeds `total`.
pub(crate) fn share(wants: &[usize], total: usize) -> Vec<usize> {
    let mut got = vec![0; wants.len()];
    let mut order: Vec<usize> = (0..wants.len()).collect();
    order.sort_by_key(|&i| wants[i]);
    let mut left = total;
    for (done, &i) in order.iter().enumerate() {
        got[i] = wants[i].min(left / (wants.len() - done));
        left -= got[i];
    }
    got
}

/// The same in two steps: among groups first, then among the members of each group.
pub(crate) fn share_groups(groups: &[Vec<usize>], total: usize) -> Vec<Vec<usize>> {
    let sums: Vec<usize> = groups.iter().map(|g| g.iter().sum()).collect();
    share(&sums, total).into_iter().zip(groups).map(|(part, group)| share(group, part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_unused_share_goes_to_the_others() {
        assert_eq!(share(&[10, 500, 500], 310), [10, 150, 150]);
        assert_eq!(share(&[], 100), Vec::<usize>::new());
        assert_eq!(share_groups(&[vec![1000, 1000], vec![50]], 450), [vec![200, 200], vec![50]]);
    }

    proptest! {
        #[test]
        fn no_share_exceeds_its_request_or_the_total(wants in prop::collection::vec(0usize..5000, 0..40), total in 0usize..20_000) {
            let got = share(&wants, total);
            prop_assert!(got.iter().sum::<usize>() <= total);
            prop_assert!(got.iter().zip(&wants).all(|(g, w)| g <= w));
            // Nothing is left while someone still wants more than rounding explains.
            let unmet = wants.iter().sum::<usize>().saturating_sub(got.iter().sum());
            prop_assert!(unmet == 0 || total - got.iter().sum::<usize>() <= wants.len());
        }
    }
}
